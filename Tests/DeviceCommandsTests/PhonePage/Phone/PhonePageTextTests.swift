import Foundation
import Testing

@testable import PhonePage

@Suite("Texts of others are shown as they are signed, and cannot hide anything")
struct PhonePageTextTests {
    @Test("Letters, markup and line feeds stay as they are")
    func kept() {
        let text = "Pay CHF 49.90 to Müller & Söhne\n<script>alert(1)</script> 漢字 🙂"
        #expect(PhonePageText.shown(text.utf8) == text)
    }

    @Test(
        "Controls of the direction, invisible characters and separators are spelled out",
        arguments: [
            ("\u{202E}", "\\u{202E}"), ("\u{2066}", "\\u{2066}"), ("\u{200B}", "\\u{200B}"), ("\u{7}", "\\u{7}"),
            ("\r", "\\u{D}"), ("\u{2028}", "\\u{2028}"), ("\u{A0}", "\\u{A0}"), ("\u{FEFF}", "\\u{FEFF}"),
        ])
    func spelled(text: String, shown: String) { #expect(PhonePageText.shown("1\(text)2".utf8) == "1\(shown)2") }

    @Test("A name stays on one line")
    func name() { #expect(PhonePageText.name("anna\nbob") == "anna\\u{A}bob") }

    @Test("Octets that are no UTF-8 are marked")
    func invalid() { #expect(PhonePageText.shown([0x41, 0xFF]) == "A\u{FFFD}") }
}

@Suite("The page has every text in every language, and inserts texts only")
struct PhonePageResourceTests {
    private static let texts = String(decoding: PackageResources.texts_js, as: UTF8.self)
    private static let script = String(decoding: PackageResources.page_js, as: UTF8.self)

    /// Keys of a language, in order.
    private static func keys(of language: String) throws -> [String] {
        let block = try #require(texts.components(separatedBy: "  \(language): {\n").dropFirst().first)
        let body = try #require(block.components(separatedBy: "\n  }").first)
        return body.matches(of: /(?:^|\n| )("[a-z]+\.[A-Za-z]+"|[A-Za-z]+): "/).map { String($0.output.1) }.sorted()
    }

    @Test("The languages have the same texts", arguments: ["de", "fr", "it"])
    func complete(language: String) throws {
        let english = try Self.keys(of: "en")
        #expect(english.count > 80)
        #expect(try Self.keys(of: language) == english)
    }

    @Test("The script makes no markup of texts, and asks no other place")
    func harmless() {
        for word in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "http:", "https:"] {
            #expect(!Self.script.contains(word))
        }
    }
}
