import BackendAPI
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Octets
import ServerCore
import StrictJSON
import TestSupport
import Testing
import UAF
import UAFService

@testable import ServerHTTP

@Suite("Routes: whole ceremonies with a synthetic authenticator")
struct CeremonyTests {
    @Test("A phone registers, logs in at the identity suite's door, and its token deregisters it")
    func wholeLife() async throws {
        let server = try await ServerFixture.open()
        let phone = try Phone(server.authenticator)
        try await server.test { client in
            #expect(try await phone.register(client) == 1200)
            let (login, request) = try await phone.request(
                client, "/auth/fidouaf", #"{"username":"anna"}"#, type: "application/json; charset=utf-8")
            let answer = try await client.post(
                "/auth/fidouaf/authenticationresponse/", phone.response(to: request), headers: [.cookie: login.cookie])
            #expect(answer.uafStatus == 1200)
            #expect(answer.cookie.hasPrefix("__Host-signet="))
            let token = try #require(
                try ServerResponse(body: Array(answer.body.readableBytesView)).token(.jwt))
            let removed = try await client.post(
                "/nevisfido/uaf/1.1/request/deregistration",
                #"{"op":"Dereg","context":"{\"username\":\"anna\",\"mode\":\"username\"}"}"#,
                headers: [.authorization: "Bearer \(token)"])
            #expect(removed.uafStatus == 1200)
            #expect(try removed.text("uafRequest").contains("Dereg"))
        }
    }

    @Test("A login answer without the cookie of its request is refused")
    func loginBinding() async throws {
        let server = try await ServerFixture.open()
        let phone = try Phone(server.authenticator)
        try await server.test { client in
            #expect(try await phone.register(client) == 1200)
            let (_, request) = try await phone.request(
                client, "/auth/fidouaf", #"{"username":"anna"}"#, type: "application/json")
            let answer = try await client.post("/auth/fidouaf/authenticationresponse", phone.response(to: request))
            #expect(answer.status == .ok)
            #expect(answer.uafStatus != 1200)
            #expect(answer.headers[.setCookie] == nil)
        }
    }

    @Test("Of a response sent twice at the same time exactly one is accepted")
    func replay() async throws {
        let server = try await ServerFixture.open()
        let phone = try Phone(server.authenticator)
        try await server.test { client in
            #expect(try await phone.register(client) == 1200)
            let (_, request) = try await phone.request(
                client, "/nevisfido/uaf/1.1/request/authentication",
                #"{"op":"Auth","context":"{\"username\":\"anna\"}"}"#, type: ServiceClient.uaf)
            let body = try phone.response(to: request)
            let accepted = try await withThrowingTaskGroup(of: Int?.self) { group in
                for _ in 0..<8 {
                    group.addTask { try await client.post("/nevisfido/uaf/1.1/authentication", body).uafStatus }
                }
                return try await group.reduce(into: 0) { count, status in count += status == 1200 ? 1 : 0 }
            }
            #expect(accepted == 1)
        }
    }

    @Test(
        "An accepted sign-in counts the version at the end of User-Agent, for applications of the configuration alone")
    func version() async throws {
        let facet = try #require(FacetID(ServerFixture.facet))
        let server = try await ServerFixture.open { $0.uaf.applications = [ApplicationVersions(facet: facet)] }
        let phone = try Phone(server.authenticator)
        try await server.test { client in
            #expect(try await phone.register(client) == 1200)
            for agent in ["Sdk/1 org.signet.demo/5.2", "org.signet.demo/5.2.0", "org.other/1", "org.signet.demo", "/"] {
                let (_, request) = try await phone.request(
                    client, "/nevisfido/uaf/1.1/request/authentication",
                    #"{"op":"Auth","context":"{\"username\":\"anna\"}"}"#, type: ServiceClient.uaf)
                let response = try phone.response(to: request)
                for status in [1200, 1491] {
                    let answer = try await client.post(
                        "/nevisfido/uaf/1.1/authentication", response, headers: [.userAgent: agent])
                    #expect(answer.uafStatus == status, "a response that comes again is refused")
                }
            }
        }
        let counts = server.services.applicationUse.counts(of: facet)
        #expect(counts.map(\.version) == [ApplicationVersion("5.2")] && counts.map(\.count) == [2])
    }

    @Test("The key that signs tokens is published")
    func keySet() async throws {
        let server = try await ServerFixture.open()
        try await server.test { client in
            let answer = try await client.client.execute(uri: "/.well-known/jwks.json", method: .get)
            #expect(answer.status == .ok)
            let keys = try answer.object.required("keys") { value throws(JSONTypeError) in
                try value.asArray { key throws(JSONTypeError) in try key.asObject() }
            }
            #expect(keys.count == 1)
            #expect(keys.allSatisfy { $0["d"] == nil && $0["kty"] == .string("EC") })
        }
    }
}

/// A phone with one synthetic authenticator.
private struct Phone: Sendable {
    let authenticator: SyntheticAuthenticator
    let application: SyntheticClient

    init(_ authenticator: SyntheticAuthenticator) throws {
        self.authenticator = authenticator
        application = SyntheticClient(facet: try #require(FacetID(ServerFixture.facet)))
    }

    /// Registers for anna and returns the UAF status.
    func register(_ client: ServiceClient) async throws -> Int? {
        let (_, message) = try await request(
            client, "/nevisfido/uaf/1.1/request/registration",
            #"{"op":"Reg","context":"{\"username\":\"anna\"}"}"#, type: ServiceClient.uaf,
            headers: [.cookie: try await client.logIn()])
        let request = try #require(try Self.registration(message))
        let response = try application.answer(request, with: [authenticator])
        return try await client.post(
            "/nevisfido/uaf/1.1/registration",
            SendUAFResponse(uafResponse: String(decoding: response, as: UTF8.self)).body
        ).uafStatus
    }

    /// Asks for a request and returns the answer with the message in it.
    func request(
        _ client: ServiceClient, _ path: String, _ body: String, type: String, headers: HTTPFields = [:]
    ) async throws -> (answer: TestResponse, message: String) {
        let answer = try await client.post(path, body, type: type, accept: nil, headers: headers)
        #expect(answer.uafStatus == 1200)
        return (answer, try answer.text("uafRequest"))
    }

    /// The body that answers an authentication request.
    func response(to message: String) throws -> [UInt8] {
        let request = try #require(try Self.authentication(message))
        let response = try application.answer(request, with: [authenticator])
        return SendUAFResponse(uafResponse: String(decoding: response, as: UTF8.self)).body
    }

    private static func registration(_ message: String) throws -> RegistrationRequest? {
        guard case .registration(let request) = try OperationRequest(message: Array(message.utf8)) else { return nil }
        return request
    }

    private static func authentication(_ message: String) throws -> AuthenticationRequest? {
        guard case .authentication(let request) = try OperationRequest(message: Array(message.utf8)) else { return nil }
        return request
    }
}
