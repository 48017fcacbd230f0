import ServerCore
import TestSupport
import Testing

@testable import OpenID

@Suite("Text of a sign-in: what the phone shows when a site asks for nothing else")
struct SignInTextTests {
    @Test(
        "The text names the site and the address that the answer goes to, in the language of the page",
        arguments: [
            ("en", "Sign in"), ("de", "Anmelden"), ("fr", "Se connecter"), ("it", "Accedere"), ("ro", "Sign in"),
        ])
    func text(language: String, verb: String) throws {
        let client = try client()
        for (redirect, origin) in zip(client.redirects, ["https://shop.example", "https://shop.example:8443"]) {
            var parameters = AuthorizationParameters(
                client: client.id, redirect: redirect, codeChallenge: [UInt8](repeating: 0, count: 32))
            parameters.language = language
            #expect(SignInText.text(for: client, parameters) == "\(verb): Shop\n\(origin)")
        }
    }

    @Test("An application is shown by the loopback address without its port, or by its scheme")
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
