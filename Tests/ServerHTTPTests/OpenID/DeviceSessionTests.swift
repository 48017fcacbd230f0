import Crypto
import JOSE
import NIOHTTP1
import Octets
import OpenID
import ServerCore
import StrictJSON
import TestSupport
import Testing
import UAFService

@testable import ServerHTTP

/// Key of a browser, which signs as the draft says.
private struct BrowserKey {
    let key = P256.Signing.PrivateKey()

    var jwk: JWK {
        get throws {
            let point = Array(key.publicKey.rawRepresentation)
            return try JWK(verifying: .p256(x: Array(point.prefix(32)), y: Array(point.suffix(32))), keyID: nil)
        }
    }

    /// A proof as it stands in its header field; each test changes one thing.
    func proof(_ challenge: String, carriesKey: Bool = false, type: String = "dbsc+jwt") throws -> String {
        var header: JSONObject = ["alg": .string("ES256"), "typ": .string(type)]
        if carriesKey { header.append("jwk", try JSONParser.parse(try jwk.json)) }
        let input = [header, ["jti": .string(challenge)]]
            .map { Base64URL.encode(JSONWriter.write(.object($0))) }.joined(separator: ".")
        let signature = try key.signature(for: Array(input.utf8)).rawRepresentation
        return "\"\(input).\(Base64URL.encode(Array(signature)))\""
    }
}

@Suite(
    "A session that is bound to its browser's key, over the socket, by a browser that does what the draft of DBSC says")
struct DeviceSessionTests {
    private static let path = "/device-session"
    private static let id = "Sec-Secure-Session-Id"
    private static let response = "Secure-Session-Response"

    /// Runs `body` with a browser that has signed in, the challenge that came with its session, and the stage.
    private func play(
        isOn: Bool = true,
        _ body: @escaping @Sendable (inout PageBrowser, String?, EndsStage) async throws -> Void
    ) async throws {
        let stage = try await EndsStage(
            .sqlite, on: StoredDatabase.sqlite.empty(), removalWait: .seconds(3_600), bindsSessions: isOn)
        let user = try await stage.services.users.add(name: "jeff", externalID: "ext-jeff")
        let method = try await stage.add(.passkey, to: user)
        try await stage.overSocket { client in
            var holder = MethodHolder(method, of: user, on: stage, client)
            #expect(try await holder.signIn() == holder.letIn)
            let offered = holder.last?.headers.first(name: "Secure-Session-Registration")
            let challenge = try offered.map { offered in
                let form = /\(ES256 RS256\);path="\/device-session";challenge="([\w-]{43})"/
                return String(try #require(offered.wholeMatch(of: form)).output.1)
            }
            var browser = holder.browser
            try await body(&browser, challenge, stage)
        }
    }

    private func isSignedIn(_ browser: inout PageBrowser, _ stage: EndsStage) async throws -> Bool {
        let silent = try await browser.open(stage.site.authorize(["prompt": "none"])).location.contains("code=")
        let page = try await browser.open("/my-devices")
        #expect((page.status == 200) == silent)
        return silent
    }

    /// Binds the session; its identifier.
    private func bind(_ browser: inout PageBrowser, _ key: BrowserKey, _ challenge: String?) async throws -> String {
        let proof = try key.proof(try #require(challenge), carriesKey: true)
        let answer = try await browser.call(Self.path, [Self.response: proof])
        try #require(answer.status == 200)
        #expect(answer.object["refresh_url"] == .string(Self.path))
        #expect(try answer.object["scope"]?.asObject()["include_site"] == .bool(false))
        let credential = try #require(try answer.object["credentials"]?.asArray().first).asObject()
        #expect(try credential.string("name") == BrowserCookies.boundName)
        #expect(answer.cookie.hasSuffix("; " + (try credential.string("attributes"))))
        return try answer.object.string("session_identifier")
    }

    /// The challenge of a request without a proof.
    private func challenge(_ browser: inout PageBrowser, _ id: String) async throws -> String {
        let answer = try await browser.call(Self.path, [Self.id: "\"\(id)\""])
        #expect(answer.status == 403)
        let field = try #require(answer.headers.first(name: "Secure-Session-Challenge"))
        let match = try #require(field.wholeMatch(of: /"([\w.-]+)";id="([\w-]+)"/))
        #expect(match.output.2 == id)
        return String(match.output.1)
    }

    @Test(
        "The browser binds its session, renews its cookie by a challenge when that is over, and is signed in all along")
    func honest() async throws {
        try await play { browser, first, stage in
            let key = BrowserKey()
            #expect(try await isSignedIn(&browser, stage))
            let id = try await bind(&browser, key, first)
            #expect(try await isSignedIn(&browser, stage))
            stage.site.server.clock.advance(by: .seconds(300))
            #expect(try await !isSignedIn(&browser, stage))
            let proof = try key.proof(try await challenge(&browser, id))
            let renewed = try await browser.call(Self.path, [Self.id: "\"\(id)\"", Self.response: proof])
            #expect(renewed.status == 200 && renewed.object["session_identifier"] == .string(id))
            #expect(try await isSignedIn(&browser, stage))
        }
    }

    @Test("A thief with the cookie of the session alone is not signed in, and gets no cookie by another key")
    func stolen() async throws {
        try await play { browser, first, stage in
            let id = try await bind(&browser, BrowserKey(), first)
            #expect(try await isSignedIn(&browser, stage))
            var thief = PageBrowser(client: browser.client)
            thief.take(BrowserCookies.providerName, of: browser)
            #expect(try await !isSignedIn(&thief, stage))
            let own = BrowserKey()
            let again = try await thief.call(
                Self.path, [Self.response: try own.proof(try #require(first), carriesKey: true)])
            #expect(again.status == 401 && again.cookie.isEmpty)
            let signed = try own.proof(try await challenge(&thief, id))
            let renewed = try await thief.call(Self.path, [Self.id: "\"\(id)\"", Self.response: signed])
            #expect(renewed.status == 401 && renewed.cookie.isEmpty)
            #expect(try await !isSignedIn(&thief, stage))
            #expect(try await isSignedIn(&browser, stage))
        }
    }

    @Test("A proof counts once, for a challenge of this session that is not over, and only of its type")
    func proofs() async throws {
        try await play { browser, first, stage in
            let key = BrowserKey()
            let early = try key.proof(try #require(first), carriesKey: true, type: "JWT")
            #expect(try await browser.call(Self.path, [Self.response: early]).status == 401)
            let foreign = try key.proof(String(repeating: "A", count: 43), carriesKey: true)
            #expect(try await browser.call(Self.path, [Self.response: foreign]).status == 401)
            let id = try await bind(&browser, key, first)
            let field = [Self.id: "\"\(id)\""]
            let proof = try key.proof(try await challenge(&browser, id))
            #expect(try await browser.call(Self.path, field.merging([Self.response: proof]) { $1 }).status == 200)
            #expect(try await browser.call(Self.path, field.merging([Self.response: proof]) { $1 }).status == 401)
            let late = try key.proof(try await challenge(&browser, id))
            stage.site.server.clock.advance(by: .seconds(60))
            #expect(try await browser.call(Self.path, field.merging([Self.response: late]) { $1 }).status == 403)
            let old = try key.proof(try #require(first))
            #expect(try await browser.call(Self.path, field.merging([Self.response: old]) { $1 }).status == 403)
            // The cookie is no challenge: each value has one purpose.
            let cookie = try key.proof(try #require(browser.cookies[BrowserCookies.boundName]))
            #expect(try await browser.call(Self.path, field.merging([Self.response: cookie]) { $1 }).status == 403)
            for other in ["\"\(id)x\"", id, "\"\""] {
                let sent = try key.proof(try await challenge(&browser, id))
                #expect(try await browser.call(Self.path, [Self.id: other, Self.response: sent]).status == 401)
            }
        }
    }

    @Test("A browser that registers no key is signed in by its cookie; without the setting nothing is offered")
    func unbound() async throws {
        try await play { browser, first, stage in
            #expect(first != nil)
            let refused = try await browser.call(Self.path, [:])
            #expect(refused.status == 401)
            let holds = try await isSignedIn(&browser, stage)
            #expect(holds)
        }
        try await play(isOn: false) { browser, first, _ in
            #expect(first == nil)
            let absent = try await browser.call(Self.path, [:])
            #expect(absent.status == 404)
        }
    }
}
