import ServerCore
import TestSupport
import Testing
import UAF

@Suite("Settings")
struct SettingsTests {
    private func start(_ change: (inout ServerSettings) throws -> Void) async throws {
        _ = try await TestServer(authenticators: [try SyntheticAuthenticator()], change: change)
    }

    @Test("The longest life time of a request is ten minutes")
    func responseLifetime() async throws {
        try await start { $0.uaf.responseLifetime = .seconds(600) }
        await #expect(throws: ServerError.invalidSetting(name: "response-lifetime")) {
            try await start { $0.uaf.responseLifetime = .seconds(601) }
        }
    }

    @Test("The appID is a URL with https, and short enough for the sealed state")
    func appID() async throws {
        await #expect(throws: ServerError.invalidSetting(name: "app-id")) {
            try await start { $0.uaf.appID = try #require(AppID("http://example.com/facets")) }
        }
        let long = "https://example.com/" + String(repeating: "x", count: 492)
        try await start { $0.uaf.appID = try #require(AppID(long)) }
    }

    @Test("With the longest names the sealed state still fits into 1536 characters")
    func sealedStateLength() async throws {
        let name = try #require(PolicyName(String(repeating: "p", count: 64)))
        let phone = try SyntheticAuthenticator()
        let server = try await TestServer(authenticators: [phone]) {
            $0.uaf.appID = try #require(AppID("https://example.com/" + String(repeating: "x", count: 492)))
            let policy = Policy(accepted: [[MatchCriteria(aaids: [phone.aaid])]])
            $0.uaf.policies = try PolicyCatalog([name: policy], defaultName: name)
        }
        let request = try await server.authenticationRequest(for: "absent", transaction: "text")
        // Room for three more hashes of a transaction and one of a cookie.
        #expect(try #require(request.header.serverData).text.utf8.count + 4 * 43 <= 1536)
    }

    @Test("Facets, token life time and the default policy are checked")
    func others() async throws {
        await #expect(throws: ServerError.invalidSetting(name: "facets")) { try await start { $0.uaf.facets = [] } }
        await #expect(throws: ServerError.invalidSetting(name: "token-lifetime")) {
            try await start { $0.tokens.lifetime = .seconds(901) }
        }
        #expect(throws: ServerError.invalidSetting(name: "policies.default")) { try PolicyCatalog([:]) }
    }

    @Test(
        "A policy name has 1 to 64 harmless characters", arguments: ["", "a b", "é", String(repeating: "x", count: 65)])
    func policyNames(text: String) {
        #expect(PolicyName(text) == nil)
    }
}
