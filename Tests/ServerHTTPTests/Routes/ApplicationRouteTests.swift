import BackendAPI
import HTTPTypes
import HummingbirdTesting
import JOSE
import NIOCore
import ServerCore
import StrictJSON
import TestSupport
import Testing
import UAF
import UAFService

@testable import ServerHTTP

@Suite("Versions of applications: what the operator wants is told, signed")
struct ApplicationRouteTests {
    private static let path = "/nevisfido/app/version"

    private func server(_ change: (inout ApplicationVersions) -> Void = { _ in }) async throws -> ServerFixture {
        var application = ApplicationVersions(facet: try #require(FacetID(ServerFixture.facet)))
        application.minimum = ApplicationVersion("5.0")
        application.latest = ApplicationVersion("5.2")
        application.blocked = Set(["5.1.1", "5.3"].compactMap { ApplicationVersion($0) })
        application.storeAddress = "https://store.example/app"
        application.messages = ["en": "Please update."]
        change(&application)
        let wanted = application
        return try await ServerFixture.open { $0.uaf.applications = [wanted] }
    }

    private func get(_ server: ServerFixture, _ path: String) async throws -> TestResponse {
        try await server.test { try await $0.client.execute(uri: path, method: .get) }
    }

    private func ask(
        _ server: ServerFixture, _ version: String, facet: String = ServerFixture.facet
    ) async throws -> TestResponse {
        try await get(
            server, Self.path + "?facet=\(PathComponent.encode(facet))&version=\(PathComponent.encode(version))")
    }

    /// The claims of an answer, verified by the keys that the server publishes.
    private func claims(_ answer: TestResponse, _ server: ServerFixture) async throws -> JWTClaims {
        let keys = try await get(server, "/.well-known/jwks.json")
        let set = try JWKS(json: Array(keys.body.readableBytesView))
        let token = try CompactJWS(parsing: String(buffer: answer.body))
        #expect(token.header.type == ApplicationVersionStatement.type)
        return try JWTClaims(payload: try token.verified(by: set).payload)
    }

    @Test(
        "Each version gets its verdict; a blocked one also where it is new",
        arguments: [
            ("4.9.9", ApplicationVersionStatement.Verdict.updateRequired), ("5.0.0", .updateAvailable),
            ("5.1.1", .blocked), ("5.2", .upToDate), ("5.3.0", .blocked), ("6", .upToDate),
        ])
    func verdicts(version: String, verdict: ApplicationVersionStatement.Verdict) async throws {
        let server = try await server()
        let answer = try await ask(server, version)
        #expect(answer.status == .ok)
        #expect(answer.headers[.contentType] == "application/jose;charset=UTF-8")
        #expect(answer.headers[.cacheControl] == "public, max-age=300")
        let claims = try await claims(answer, server)
        let statement = try ApplicationVersionStatement(members: claims.members)
        #expect(statement.verdict == verdict && statement.version.text == version)
        #expect(statement.minimum?.text == "5.0" && statement.storeAddress == "https://store.example/app")
        let now = server.clock.now().seconds
        #expect(claims.issuedAt == now && claims.expirationTime == now + 900, "longer than caches keep it")
    }

    @Test("An application of which nothing is wanted is up to date in each version")
    func nothingWanted() async throws {
        let server = try await server { $0 = ApplicationVersions(facet: $0.facet) }
        let claims = try await claims(try await ask(server, "0.0.1"), server)
        let statement = try ApplicationVersionStatement(members: claims.members)
        #expect(statement.verdict == .upToDate && statement.minimum == nil && statement.messages.isEmpty)
    }

    @Test("An application without settings is not found, also where there are none at all")
    func unknown() async throws {
        #expect(try await ask(try await server(), "1", facet: "ios:bundle-id:other").status == .notFound)
        #expect(try await ask(try await ServerFixture.open(), "1").status == .notFound)
    }

    @Test(
        "A hostile parameter is refused, and does not come back in the answer",
        arguments: [
            "", "?", "?facet=\(ServerFixture.facet)", "?version=1", "?facet=&version=1",
            "?facet=\(ServerFixture.facet)&version=", "?facet=\(ServerFixture.facet)&version=%00",
            "?facet=\(ServerFixture.facet)&version=1.x-canary", "?facet=\(ServerFixture.facet)&version=1&version=2",
            "?facet=\(ServerFixture.facet)&version=" + String(repeating: "9", count: 4_000),
            "?facet=%ff&version=1", "?facet=" + String(repeating: "a", count: 4_000) + "&version=1",
        ])
    func hostile(query: String) async throws {
        let server = try await server()
        let answer = try await get(server, Self.path + query)
        #expect(answer.status == .badRequest)
        #expect(answer.headers[.cacheControl]?.contains("public") != true)
        #expect(!String(buffer: answer.body).contains("canary"))
    }

    @Test("A version in use is counted under the name that the operator gave it, every other one as one")
    func counts() async throws {
        let server = try await server()
        let application = try #require(server.services.acceptance.current.applicationVersions.values.first)
        let metrics = OperationMetrics(server.metrics)
        for text in ["5.2.0", "5.2", "4.0", "99.1"] {
            metrics.count(try #require(ApplicationVersion(text)), of: application)
        }
        let lines = server.metrics.text.split(separator: "\n").filter {
            $0.contains("signet_application_versions_total{")
        }
        #expect(lines.count == 2)
        #expect(lines.contains { $0.contains(#"version="5.2""#) && $0.hasSuffix(" 2") })
        #expect(lines.contains { $0.contains(#"version="other""#) && $0.hasSuffix(" 2") })
    }
}
