import Octets
import OpenID
import ServerCore
import Testing

@testable import SignInPages

@Suite("The page of form_post posts what it was given, to the client's address, and runs nothing else")
struct AnswerPageTests {
    private func page(_ fields: [(name: String, value: String)], to text: String) throws -> PageAnswer {
        let stage = try PageStage()
        let redirect = try #require(RedirectAddress(text))
        return stage.pages.answerPage(
            AnswerForm(redirect: redirect, fields: Sensitive(fields)), reader: stage.reader())
    }

    @Test("It has the fields, our script, a button for browsers without it, and a policy that lets the form go")
    func whole() throws {
        let page = try page(
            [("code", "c-1"), ("state", "s"), ("iss", "https://login.example.com")],
            to: "https://shop.example.com/back?x=1&y=2")
        #expect(page.status == 200)
        let text = page.text
        #expect(text.contains(#"<form method="post" id="reply" action="https://shop.example.com/back?x=1&amp;y=2">"#))
        #expect(text.contains(#"<input type="hidden" name="code" value="c-1">"#))
        #expect(text.contains(#"<input type="hidden" name="iss" value="https://login.example.com">"#))
        #expect(text.contains(#"<script src="/assets/sign-in.js" defer></script>"#))
        #expect(text.contains(#"<noscript><button class="first wide-button">Continue</button></noscript>"#))
        #expect(page.contentSecurityPolicy.contains("form-action 'self' https://shop.example.com;"))
        #expect(page.contentSecurityPolicy.contains("script-src 'self';"))
        let script = String(decoding: PageAsset.script.octets, as: UTF8.self)
        #expect(script.contains("HTMLFormElement.prototype.submit.call(reply)"))
    }

    @Test(
        "A hostile value stays a value",
        arguments: [
            "\"><script>alert(1)</script>", "'\"/><form action=https://evil.example>",
            "&quot;><img src=x onerror=alert(1)>",
            "{{{t.skip}}}{{>page}}", "--></textarea><base href=//evil.example>",
        ])
    func hostile(value: String) throws {
        let plain = try page([("state", "x")], to: "https://shop.example.com/back").text
        let text = try page([("state", value)], to: "https://shop.example.com/back").text
        for mark in ["<script", "<form", "<img", "<base", "<input", "</"] {
            #expect(text.components(of: mark) == plain.components(of: mark), "\(mark)")
        }
        let escaped = value.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
        #expect(text.contains("name=\"state\" value=\"\(escaped)\">"))
    }
}

extension String {
    /// Number of the parts between occurrences of a text.
    fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}
