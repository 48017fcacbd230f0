import Octets
import SignInPages
import Testing

@Suite("Form token: good for one browser and one session")
struct FormTokenTests {
    @Test("A form of the page is taken")
    func own() throws {
        let token = try #require(FormToken(cookie: Sensitive("cookie"), session: "session"))
        #expect(token.text.utf8.count == FormToken.length)
        #expect(token.isCarried(by: token.text))
    }

    @Test("The token of another browser or session, a changed one and none are refused")
    func foreign() throws {
        let token = try #require(FormToken(cookie: Sensitive("cookie"), session: "session"))
        let others = [
            FormToken(cookie: Sensitive("other"), session: "session")?.text,
            FormToken(cookie: Sensitive("cookie"), session: "other")?.text, token.text + "A",
            String(token.text.dropLast()), "", String(repeating: "?", count: 43), nil,
        ]
        for other in others { #expect(!token.isCarried(by: other)) }
    }

    @Test("Without a cookie there is no token")
    func absent() {
        #expect(FormToken(cookie: nil, session: "session")?.text == nil)
        #expect(FormToken(cookie: Sensitive(""), session: "session")?.text == nil)
    }
}
