import ServerCore
import TestSupport
import Testing

@testable import OpenID

@Suite("Text of a sign-in: what the phone shows when a site asks for nothing else")
struct SignInTextTests {
    @Test(
        "A confirmed text is that of a sign-in in each language, for each address of the client",
        arguments: ["Sign in", "Anmelden", "Se connecter", "Accedere"],
        ["https://shop.example", "https://shop.example:8443"])
    func known(verb: String, origin: String) throws {
        let text = "\(verb): Shop\n\(origin)"
        #expect(try SignInText.isSignIn(TransactionHash(of: text.utf8), at: client()))
    }

    @Test(
        "Any other text is none: that of a payment, of another origin, of another client",
        arguments: [
            "Pay 49.90", "Sign in: Shop\nhttps://other.example", "Sign in: Bank\nhttps://shop.example",
            "Sign in: Shop\nhttps://shop.example ",
        ])
    func other(text: String) throws {
        #expect(try !SignInText.isSignIn(TransactionHash(of: text.utf8), at: client()))
    }

    @Test("An application is shown by the loopback address without its port, or by its scheme, and known by that again")
    func applications() throws {
        var app = RegisteredClient(id: try #require(ClientID("app")), name: "App", authentication: .none)
        app.redirects = try ["http://127.0.0.1/back", "com.example.app:/back"].map { try #require(RedirectAddress($0)) }
        let cases = [
            ("http://127.0.0.1:51823/back", "Sign in: App\nhttp://127.0.0.1"),
            ("com.example.app:/back", "Sign in: App\ncom.example.app"),
        ]
        for (requested, text) in cases {
            let redirect = try #require(app.redirects.lazy.compactMap { $0.named(requested) }.first)
            let parameters = AuthorizationParameters(
                client: app.id, redirect: redirect, codeChallenge: [UInt8](repeating: 0, count: 32))
            #expect(SignInText.text(for: app, parameters) == text)
            #expect(SignInText.isSignIn(TransactionHash(of: text.utf8), at: app))
        }
    }

    @Test("SA-23: The name of a client from before the rule makes no sign-in fail", arguments: TreacherousText.lines)
    func misread(name: String) throws {
        let redirect = try #require(RedirectAddress("https://shop.example/back"))
        var client = RegisteredClient(id: try #require(ClientID("shop")), name: name, authentication: .none)
        client.redirects = [redirect]
        let parameters = AuthorizationParameters(
            client: client.id, redirect: redirect, codeChallenge: [UInt8](repeating: 0, count: 32))
        #expect(SignInText.text(for: client, parameters) == "Sign in: a\u{FFFD}b\nhttps://shop.example")
    }

    private func client() throws -> RegisteredClient {
        var client = RegisteredClient(id: try #require(ClientID("shop")), name: "Shop", authentication: .none)
        client.redirects = try ["https://shop.example/signed-in", "https://shop.example:8443/back?from=signet"].map {
            try #require(RedirectAddress($0))
        }
        return client
    }
}
