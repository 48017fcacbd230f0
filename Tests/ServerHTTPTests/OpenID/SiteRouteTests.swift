import HTTPTypes
import HummingbirdTesting
import NIOCore
import ServerCore
import StrictJSON
import Testing
import UAFService

@testable import ServerHTTP

@Suite("Answers by form, and attributes through the relying-party API, over the routes of the whole service")
struct SiteRouteTests {
    // MARK: - Form

    @Test("An answer by form is a page that no cache keeps, that may post to the client's origin and to no other")
    func form() async throws {
        let site = try await SiteFixture()
        let answer = try await site.send(site.authorize(["prompt": "none", "response_mode": "form_post"]))
        #expect(answer.status == .ok && answer.headers[.location] == nil)
        #expect(answer.headers[.cacheControl] == "no-store")
        #expect(answer.headers[.contentType]?.hasPrefix("text/html") == true)
        let policy = try #require(answer.headers[.contentSecurityPolicy])
        #expect(policy.contains("form-action 'self' https://shop.example.com;") && !policy.contains("unsafe"))
        let page = String(buffer: answer.body)
        #expect(page.contains(#"action="https://shop.example.com/back""#))
        for (name, value) in ["error": "login_required", "state": "state-canary", "iss": "https://server.example"] {
            #expect(page.contains(#"<input type="hidden" name="\#(name)" value="\#(value)">"#))
        }
    }

    @Test("A hostile state stays a value of the form, and an address that is not registered gets none")
    func hostile() async throws {
        let site = try await SiteFixture()
        let state = "\"><script>alert(1)</script>"
        let fields = ["prompt": "none", "response_mode": "form_post", "state": state]
        let page = String(buffer: try await site.send(site.authorize(fields)).body)
        #expect(page.contains("value=\"&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;\""))
        #expect(page.ranges(of: "<script").count == 1, "our own")
        let other = ["response_mode": "form_post", "redirect_uri": "https://evil.example/back"]
        let refused = try await site.send(site.authorize(other))
        #expect(refused.status == .badRequest && !String(buffer: refused.body).contains("evil.example"))
        #expect(refused.headers[.contentSecurityPolicy]?.contains("evil.example") == false)
    }

    // MARK: - Attributes

    private static let user = "/api/v1/users/ext-anna"

    /// A key with these scopes; its text is its name, repeated.
    private func key(_ name: String, _ scopes: Set<AccessKeyScope>) throws -> AccessKey {
        let name = try #require(AccessKeyName(name))
        var key = try #require(AccessKey(name: name, key: Self.text(name.text)))
        key.rights.scopes = scopes
        return key
    }

    private static func text(_ name: String) -> String { String(repeating: name, count: 40) }

    @Test("A key writes attributes and another reads them; neither does what it has no scope for")
    func attributes() async throws {
        let site = try await SiteFixture(keys: [
            try key("w", [.writeUsers]), try key("r", [.readUsers]), try key("e", [.enroll, .approve, .status]),
        ])
        let body = #"{"attributes":{"email":"anna@example.com","email_verified":true}}"#
        let written = try await site.call(.patch, Self.user, body, key: Self.text("w"))
        #expect(written.status == .noContent && written.body.readableBytes == 0)
        let read = try await site.call(.get, Self.user, key: Self.text("r"))
        let attributes = try #require(read.object["attributes"]).asObject()
        #expect(attributes == ["email": .string("anna@example.com"), "email_verified": .bool(true)])
        for (name, status) in ["r": 403, "e": 403, "x": 401] as [String: Int] {
            let answer = try await site.call(.patch, Self.user, #"{"attributes":{"email":null}}"#, key: Self.text(name))
            #expect(answer.status.code == status, "\(name)")
        }
        for (name, status) in ["w": 403, "e": 403, "x": 401] as [String: Int] {
            let answer = try await site.call(.get, Self.user, key: Self.text(name))
            #expect(answer.status.code == status && !String(buffer: answer.body).contains("anna@example.com"))
        }
        #expect(try await site.call(.patch, Self.user, body, key: nil).status == .unauthorized)
        let after = try await site.call(.get, Self.user, key: Self.text("r"))
        #expect(after.object["attributes"] == read.object["attributes"], "what was refused has changed nothing")
    }

    @Test("SA-22: With own users a key enrols, reads, changes, asks and removes only those whom it has enrolled")
    func ownUsers() async throws {
        let site = try await SiteFixture(
            keys: [
                try key("a", Set(AccessKeyScope.allCases)), try key("b", Set(AccessKeyScope.allCases)),
            ], settings: { $0.outOfBand.hasOwnUsers = true })
        func enroll(_ name: String, by key: String) async throws -> TestResponse {
            try await site.call(.post, "/api/v1/users/enroll", #"{"username":"\#(name)"}"#, key: Self.text(key))
        }
        let made = try await enroll("kim", by: "a")
        #expect(made.status == .created)
        let path = "/api/v1/users/" + (try made.object.string("userId"))
        let asked = #"{"op":"Auth","context":"{\"username\":\"kim\"}"}"#
        for (key, isOwner) in [("b", false), ("a", true)] {
            let text = Self.text(key)
            #expect(try await enroll("kim", by: key).status == (isOwner ? .ok : .notFound))
            #expect(try await enroll("anna", by: key).status == .notFound, "the operator's user")
            #expect(try await site.call(.get, path, key: text).status == (isOwner ? .ok : .notFound))
            #expect(
                try await site.call(.get, "/api/v1/users?username=kim", key: text).status == (isOwner ? .ok : .notFound)
            )
            let approval = #"{"username":"kim","channel":"app","message":"Pay"}"#
            let refused = try await site.call(.post, "/api/v1/approval", approval, key: text)
            #expect((refused.status == .notFound) != isOwner)
            let created = try await site.call(.post, "/nevisfido/token/create/authentication", asked, key: text)
            #expect(created.status == (isOwner ? .ok : .forbidden))
            #expect(try await site.call(.delete, path, key: text).status == (isOwner ? .noContent : .notFound))
        }
    }

    @Test("A change names its user by ID, reaches no other, and a wrong value is named without being repeated")
    func oneUser() async throws {
        let site = try await SiteFixture(keys: [try key("w", [.writeUsers]), try key("r", [.readUsers])])
        try await site.server.services.users.add(name: "kim", externalID: "ext-kim")
        let body = #"{"attributes":{"groups":["staff"]}}"#
        #expect(try await site.call(.patch, Self.user, body, key: Self.text("w")).status == .noContent)
        let other = try await site.call(.get, "/api/v1/users/ext-kim", key: Self.text("r"))
        #expect(other.object["attributes"] == .object([:]))
        let byName = try await site.call(.patch, "/api/v1/users/anna", body, key: Self.text("w"))
        #expect(byName.status == .notFound)
        let wrong = try await site.call(
            .patch, Self.user, #"{"attributes":{"email":"canary value"}}"#, key: Self.text("w"))
        let text = String(buffer: wrong.body)
        #expect(wrong.status == .badRequest && text.contains("email") && !text.contains("canary"))
    }
}
