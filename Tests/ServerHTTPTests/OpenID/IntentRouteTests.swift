import HTTPTypes
import HummingbirdTesting
import NIOCore
import OpenID
import ServerCore
import StrictJSON
import TestSupport
import Testing
import UAFService

@testable import ServerHTTP

@Suite("Intent tokens: one operation of one user, in place of an access key")
struct IntentRouteTests {
    private static let enroll = "/api/v1/users/enroll"
    private static let approval = "/api/v1/approval"
    private static let anna = #"{"username":"anna"}"#

    /// A site with the key `p`, which may do everything, and `r`, which may only read.
    private func site() async throws -> SiteFixture {
        try await SiteFixture(keys: [try key("p", Set(AccessKeyScope.allCases)), try key("r", [.readUsers])])
    }

    private func key(_ name: String, _ scopes: Set<AccessKeyScope>) throws -> AccessKey {
        let name = try #require(AccessKeyName(name))
        var key = try #require(AccessKey(name: name, key: Self.text(name.text)))
        key.rights.scopes = scopes
        return key
    }

    private static func text(_ name: String) -> String { String(repeating: name, count: 40) }

    private func intent(
        _ site: SiteFixture, _ operation: String = "enroll", _ further: String = ""
    ) async throws -> String {
        let body = #"{"username":"anna","operation":"\#(operation)"\#(further)}"#
        return try await site.call(.post, "/api/v1/intent", body, key: Self.text("p")).object.string("token")
    }

    private func status(
        _ site: SiteFixture, _ path: String, _ body: String, _ token: String
    ) async throws -> HTTPResponse.Status {
        try await site.call(.post, path, body, key: token).status
    }

    @Test("A token enrols its user once; the same request again and another one are refused")
    func once() async throws {
        let site = try await site()
        let token = try await intent(site)
        let answer = try await site.call(.post, Self.enroll, Self.anna, key: token)
        #expect(answer.status == .ok)
        #expect(try answer.object.string("userId") == "ext-anna")
        #expect(try await status(site, Self.enroll, Self.anna, token) == .unauthorized)
        #expect(try await status(site, Self.enroll, #"{"channel":"app"}"#, token) == .unauthorized)
    }

    @Test("A request that is refused does not use the token up")
    func refused() async throws {
        let site = try await site()
        let token = try await intent(site)
        #expect(try await status(site, Self.enroll, #"{"username":"anna","policy":7}"#, token) == .badRequest)
        #expect(try await status(site, Self.enroll, Self.anna, token) == .ok)
    }

    @Test("Of requests at the same time one is served")
    func race() async throws {
        let site = try await site()
        let token = try await intent(site)
        let served = try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
            for _ in 0..<8 { group.addTask { try await status(site, Self.enroll, Self.anna, token) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(served.count { $0 == .ok } == 1)
        #expect(served.allSatisfy { [.ok, .unauthorized, .conflict].contains($0) })
    }

    @Test(
        "Another user, channel or operation is refused",
        arguments: [
            (enroll, #"{"username":"bert"}"#, HTTPResponse.Status.forbidden),
            (enroll, #"{"userId":"ext-anna"}"#, .forbidden), (enroll, #"{"channel":"push"}"#, .forbidden),
            (enroll, #"{"channel":"sms"}"#, .unprocessableContent),
            (approval, #"{"username":"anna","channel":"app"}"#, .unauthorized),
        ])
    func outside(path: String, body: String, expected: HTTPResponse.Status) async throws {
        let site = try await site()
        let token = try await intent(site, "enroll", #","channels":["app"]"#)
        #expect(try await status(site, path, body, token) == expected)
        #expect(try await status(site, Self.enroll, Self.anna, token) == .ok)
    }

    @Test("A token opens nothing else, ends after five minutes, and is worth what its access key is worth then")
    func bounds() async throws {
        let site = try await site()
        let token = try await intent(site, "approve")
        for path in ["/ping", "/api/v1/users/ext-anna"] {
            #expect(try await site.call(.get, path, key: token).status == .unauthorized)
        }
        #expect(
            try await status(site, "/api/v1/intent", #"{"username":"anna","operation":"enroll"}"#, token)
                == .unauthorized)
        site.server.clock.advance(by: .seconds(300))
        #expect(try await status(site, Self.approval, #"{"channel":"app"}"#, token) == .unauthorized)
        let later = try await intent(site, "approve")
        site.server.services.authorization.accessKeys.replace(with: [try key("p", [.readUsers])])
        #expect(try await status(site, Self.approval, #"{"channel":"app"}"#, later) == .forbidden)
    }

    @Test("A token ends with the logins of its user, so that a locked account gets no phone by it once it is unlocked")
    func ended() async throws {
        let site = try await site()
        let before = try await intent(site)
        site.server.clock.advance(by: .seconds(1))
        try await site.server.services.users.endSessions(ofUserNamed: "anna")
        #expect(try await status(site, Self.enroll, Self.anna, before) == .unauthorized)
        site.server.clock.advance(by: .seconds(1))
        let after = try await intent(site)
        #expect(try await status(site, Self.enroll, Self.anna, after) == .ok)
    }

    @Test(
        "Who may not do it gets no token, and a wrong body is named",
        arguments: [
            ("r", #"{"username":"anna","operation":"enroll"}"#, HTTPResponse.Status.forbidden),
            ("x", #"{"username":"anna","operation":"enroll"}"#, .unauthorized), ("x", "{", .unauthorized),
            ("p", #"{"username":"anna","operation":"pay"}"#, .badRequest),
            ("p", #"{"operation":"enroll"}"#, .badRequest),
            ("p", #"{"username":"anna","operation":"enroll","channels":["sms"]}"#, .unprocessableContent),
            ("p", #"{"username":"anna","operation":"enroll","channels":["fax"]}"#, .badRequest),
        ])
    func refusals(name: String, body: String, expected: HTTPResponse.Status) async throws {
        #expect(try await status(try await site(), "/api/v1/intent", body, Self.text(name)) == expected)
    }

    private func enrollment(_ answer: TestResponse) throws -> JSONObject {
        try answer.object.required("enrollment") { value throws(JSONTypeError) in try value.asObject() }
    }

    @Test("Without an idempotency key each request creates; one of another form is refused")
    func unnamed() async throws {
        let site = try await site()
        var transactions: Set<String> = []
        for _ in 0..<2 {
            let answer = try await site.call(.post, Self.enroll, Self.anna, key: Self.text("p"), isNamed: false)
            transactions.insert(try enrollment(answer).string("transactionId"))
        }
        #expect(transactions.count == 2)
    }

    @Test("The picture has the pixels that its size says")
    func picture() async throws {
        let answer = try await site().call(.post, Self.enroll, Self.anna, key: Self.text("p"))
        let code = try enrollment(answer).required("qrCode") { value throws(JSONTypeError) in try value.asObject() }
        let size: Int = try code.integer("size")
        #expect(size > 100 && size < 1_000 && size % 4 == 0, "four pixels for each module")
    }
}
