import BackendAPI
import HTTPTypes
import HummingbirdTesting
import NIOCore
import ServerCore
import StrictJSON
import Testing
import UAF
import UAFService

@testable import ServerHTTP

@Suite("Routes: paths, methods, types and sizes")
struct RouteTests {
    private static let authentication = "/nevisfido/uaf/1.1/request/authentication"
    private static let anonymous = #"{"op":"Auth","context":"{}"}"#

    @Test(
        "Every UAF service answers under both roots, with and without a slash, and never with a redirect",
        arguments: ["/nevisfido", "/_app"], ["", "/"])
    func paths(root: String, slash: String) async throws {
        let server = try await ServerFixture.open()
        try await server.test { client in
            for path in [
                "request/registration", "registration", "request/authentication", "authentication",
                "request/deregistration",
            ] {
                let answer = try await client.post("\(root)/uaf/1.1/\(path)\(slash)", "{}")
                #expect(answer.status == .badRequest, "\(path)")
            }
            let facets = try await client.client.execute(uri: "\(root)/uaf/1.1/facets\(slash)", method: .get)
            #expect(facets.status == .ok)
            #expect(facets.headers[.contentType] == "application/fido.trusted-apps+json")
            #expect(facets.headers[.cacheControl] == "public, max-age=300")
        }
    }

    @Test("The facets document lists the configured facets for version 1.1")
    func facets() async throws {
        let body = try await ServerFixture.open().test { client in
            try await client.client.execute(uri: "/nevisfido/uaf/1.1/facets", method: .get).body
        }
        #expect(
            String(buffer: body)
                == #"{"trustedFacets":[{"version":{"major":1,"minor":1},"ids":["ios:bundle-id:org.signet.demo"]}]}"#)
    }

    @Test("The facets document follows the acceptance while the server runs")
    func changedFacets() async throws {
        let server = try await ServerFixture.open()
        var settings = server.services.settings.uaf
        settings.facets = [try #require(FacetID("ios:bundle-id:b"))]
        let fresh = try Acceptance(metadata: server.services.acceptance.current.metadata, settings: settings)
        try await server.services.acceptance.replace(with: fresh)
        let body = try await server.test { client in
            try await client.client.execute(uri: "/nevisfido/uaf/1.1/facets", method: .get).body
        }
        #expect(
            String(buffer: body) == #"{"trustedFacets":[{"version":{"major":1,"minor":1},"ids":["ios:bundle-id:b"]}]}"#)
    }

    @Test("Another method is refused with 405 and Allow, an unknown path with 404")
    func methods() async throws {
        try await ServerFixture.open().test { client in
            for method in [HTTPRequest.Method.get, .put, .delete, .patch, .options, .head] {
                let answer = try await client.client.execute(uri: Self.authentication, method: method)
                #expect(answer.status == .methodNotAllowed, "\(method)")
                #expect(answer.headers[.allow] == "POST")
            }
            let facets = try await client.post("/nevisfido/uaf/1.1/facets/", "{}")
            #expect(facets.status == .methodNotAllowed)
            #expect(facets.headers[.allow] == "GET, HEAD")
            #expect(try await client.post("/nevisfido/uaf/1.0/registration", "{}").status == .notFound)
        }
    }

    @Test("The routes of the conformance tool and of the management are not there", arguments: ["/get", "/respond"])
    func absent(path: String) async throws {
        try await ServerFixture.open().test { client in
            let answer = try await client.post(path, "{}", type: "application/json")
            #expect(answer.status == .notFound)
            let metrics = try await client.client.execute(uri: "/metrics", method: .get)
            #expect(metrics.status == .notFound)
        }
    }

    @Test(
        "Another content type is refused with 415",
        arguments: [
            nil, "", "application/json", "text/plain", "application/x-www-form-urlencoded",
            "application/fido+uaf;charset=utf-16", "application/fido+uafx", "application/fido+uaf, text/plain",
        ])
    func contentType(type: String?) async throws {
        try await ServerFixture.open().test { client in
            let answer = try await client.post(Self.authentication, Self.anonymous, type: type)
            #expect(answer.status == .unsupportedMediaType)
        }
    }

    @Test(
        "The service's type is taken in every spelling",
        arguments: ["application/fido+uaf", "Application/FIDO+UAF; Charset=\"utf-8\"", ServiceClient.uaf])
    func takenType(type: String) async throws {
        try await ServerFixture.open().test { client in
            let answer = try await client.post(Self.authentication, Self.anonymous, type: type, accept: nil)
            #expect(answer.status == .ok)
            #expect(answer.headers[.contentType] == "application/fido+uaf;charset=UTF-8")
            #expect(answer.uafStatus == 1200)
        }
    }

    @Test(
        "An Accept header without the service's type is refused with 406", arguments: ["text/html", "application/json"])
    func notAcceptable(accept: String) async throws {
        try await ServerFixture.open().test { client in
            let answer = try await client.post(Self.authentication, Self.anonymous, accept: accept)
            #expect(answer.status == .notAcceptable)
        }
    }

    @Test("A body of the limit is read, one byte more is refused with 413")
    func size() async throws {
        try await ServerFixture.open().test { client in
            let filler = String(Self.anonymous.dropLast()) + #","x":""#
            let room = 64 * 1024 - filler.utf8.count - 2
            let fitting = filler + String(repeating: "x", count: room) + "\"}"
            let read = try await client.post(Self.authentication, fitting)
            #expect(read.status == .ok)
            let larger = filler + String(repeating: "x", count: room + 1) + "\"}"
            let refused = try await client.post(Self.authentication, larger)
            #expect(refused.status == .contentTooLarge)
        }
    }

    @Test("A refusal has an error body that no browser takes for a page")
    func errorBody() async throws {
        try await ServerFixture.open().test { client in
            let answer = try await client.post("/nevisfido/<script>&", "{}")
            #expect(answer.status == .notFound)
            #expect(answer.headers[.contentType] == "application/json")
            #expect(answer.headers[.xContentTypeOptions] == "nosniff")
            #expect(!String(buffer: answer.body).contains("<"))
            let body = try ErrorBody(body: Array(answer.body.readableBytesView))
            #expect(body.status == 404)
            #expect(body.code == .notFound)
            #expect(body.timestamp == "2026-01-31T12:00:00.000Z")
            #expect(body.path == "/nevisfido/<script>&")
        }
    }

    @Test("Every answer carries the security headers, and none may be kept unless the service says so")
    func securityHeaders() async throws {
        try await ServerFixture.open().test { client in
            let answer = try await client.post(Self.authentication, Self.anonymous)
            #expect(answer.headers[.xContentTypeOptions] == "nosniff")
            #expect(answer.headers[.strictTransportSecurity] == "max-age=31536000")
            #expect(answer.headers[.cacheControl] == "no-store")
        }
    }

    @Test("A trace that the client names comes back in error bodies, and the endpoint is counted")
    func trace() async throws {
        let server = try await ServerFixture.open()
        try await server.test { client in
            let name = try #require(HTTPField.Name("traceparent"))
            let answer = try await client.post(
                Self.authentication, "{", headers: [name: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"])
            #expect(try answer.text("traceId") == "0af7651916cd43dd8448eb211c80319c")
            _ = try await client.post(Self.authentication, Self.anonymous)
        }
        let text = server.metrics.text
        let endpoint = #"endpoint="/uaf/1.1/request/authentication""#
        #expect(text.contains("signet_http_requests_total{\(endpoint),status=\"400\"} 1\n"))
        #expect(text.contains("signet_http_requests_total{\(endpoint),status=\"200\"} 1\n"))
        #expect(text.contains("signet_uaf_status_total{code=\"1200\",\(endpoint)} 1\n"))
    }
}
