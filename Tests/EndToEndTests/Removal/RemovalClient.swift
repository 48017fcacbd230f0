import BackendAPI
import BackendTransport
import Crypto
import DemoCommands
import Foundation
import StrictJSON
import TestSupport
import Testing
import UAF

/// What phones, browsers and portals send to a server process, and what they make of its answers.
struct RemovalClient: Sendable {
    /// Who sends a request.
    enum Proof: Sendable {
        case noSender
        case token(String)
        case cookie(String)
        case device(String)

        fileprivate var field: HeaderFields.Field? {
            switch self {
            case .noSender: nil
            case .token(let token): .init("Authorization", "Bearer \(token)")
            case .cookie(let cookie): .init("Cookie", cookie)
            case .device(let signature): .init(Endpoint.deviceSignatureField, signature)
            }
        }
    }

    private let transport: any HTTPTransport
    /// Where the server is.
    let origin: String
    private let client: SyntheticClient

    init(to server: LocalServer) throws {
        transport = try server.transport()
        origin = server.address
        client = SyntheticClient(facet: try #require(FacetID("ios:bundle-id:org.signet.demo")))
    }

    private func address(_ endpoint: Endpoint, naming name: String?) -> String {
        origin + Endpoint.serviceRoot + (name.map(endpoint.path(naming:)) ?? endpoint.path)
    }

    private func send(
        _ endpoint: Endpoint, naming name: String? = nil, query: String = "", body: [UInt8] = [], by proof: Proof
    ) async throws -> BackendResponse {
        var headers: HeaderFields = [.init("Accept", endpoint.responseTypes.first?.essence ?? "*/*")]
        if let type = endpoint.requestTypes.first { headers.append("Content-Type", type.essence) }
        if let field = proof.field { headers.append(field.name, field.value) }
        let method = try #require(BackendRequest.Method(rawValue: endpoint.method.rawValue))
        return try await transport.response(
            to: BackendRequest(method, address(endpoint, naming: name) + query, headers: headers, body: body))
    }

    /// Whether a service that answers with an HTTP status does what is asked for.
    func isSuccess(
        _ endpoint: Endpoint, naming name: String? = nil, query: String = "", body: [UInt8] = [], by proof: Proof
    ) async throws -> Bool {
        let response = try await send(endpoint, naming: name, query: query, body: body, by: proof)
        try #require(response.status < 500, "the server failed")
        return (200...299).contains(response.status)
    }

    // MARK: - Logins

    /// Logs in by password and returns the cookie.
    func logIn(_ name: String, password: String) async throws -> String {
        let response = try await send(
            .passwordLogin, body: Array("isiwebuserid=\(name)&isiwebpasswd=\(password)".utf8), by: .noSender)
        return try Self.cookie(in: response)
    }

    /// Answers a request and returns token and cookie; nil when the server refuses.
    func signIn(
        _ phone: SyntheticAuthenticator, _ request: AuthenticationRequest
    ) async throws -> (token: String, cookie: String)? {
        let message = try client.answer(request, with: [phone])
        let response = try await send(.authenticationResponse, body: Self.body(message), by: .noSender)
        let answer = try ServerResponse(body: response.body)
        guard answer.statusCode == .ok else { return nil }
        return (try #require(answer.token(.jwt)), try Self.cookie(in: response))
    }

    private static func cookie(in response: BackendResponse) throws -> String {
        let field = try #require(response.headers.values(of: "Set-Cookie").first)
        return String(field.prefix { $0 != ";" })
    }

    // MARK: - Requests

    func authenticationRequest(_ user: UserName) async throws -> AuthenticationRequest {
        let asked = GetUAFRequest(AuthenticationContext(username: user))
        let answer = try await ask(.authenticationRequest, asked, .noSender)
        guard case .authentication(let request)? = answer else { throw OtherRequest() }
        return request
    }

    func registrationRequest(_ user: UserName, _ proof: Proof) async throws -> RegistrationRequest {
        let asked = GetUAFRequest(RegistrationContext(username: user))
        guard case .registration(let request)? = try await ask(.registrationRequest, asked, proof) else {
            throw OtherRequest()
        }
        return request
    }

    func mayRegister(_ user: UserName, _ proof: Proof) async throws -> Bool {
        try await ask(.registrationRequest, GetUAFRequest(RegistrationContext(username: user)), proof) != nil
    }

    func mayDeregister(_ user: UserName, _ proof: Proof) async throws -> Bool {
        let asked = GetUAFRequest(DeregistrationContext(username: user, scope: .everything))
        return try await ask(.deregistrationRequest, asked, proof) != nil
    }

    /// Brings the token of an operation; nil when it is worth nothing.
    func redeem(_ token: String, _ operation: OperationKind) async throws -> OperationRequest? {
        let response = try await send(
            .redeemToken(operation), body: RedeemRequest(token: token).body, by: .noSender)
        return try Self.request(in: response)
    }

    /// Dispatches by link and returns the token.
    func dispatch(_ request: GetUAFRequest, _ operation: OperationKind, _ proof: Proof) async throws -> String {
        let body = DispatchRequest(request, dispatcher: .link).body
        let response = try await send(.dispatchToken(operation), body: body, by: proof)
        return try #require(try DispatchAnswer(body: response.body).token)
    }

    private func ask(_ endpoint: Endpoint, _ asked: GetUAFRequest, _ proof: Proof) async throws -> OperationRequest? {
        try Self.request(in: try await send(endpoint, body: asked.body, by: proof))
    }

    /// The request in an answer; nil for an answer without one, or with an HTTP status of a refusal.
    private static func request(in response: BackendResponse) throws -> OperationRequest? {
        try #require(response.status < 500, "the server failed")
        guard response.status == 200, let text = try ReturnUAFRequest(body: response.body).uafRequest else {
            return nil
        }
        return try OperationRequest(message: Array(text.utf8))
    }

    /// The server asks for something that was not begun.
    private struct OtherRequest: Error {}

    // MARK: - Registrations

    /// Answers a request; whether the server takes the key.
    func register(_ phone: SyntheticAuthenticator, _ request: RegistrationRequest) async throws -> Bool {
        let message = try client.answer(request, with: [phone])
        let response = try await send(.registrationResponse, body: Self.body(message), by: .noSender)
        return try ServerResponse(body: response.body).statusCode == .ok
    }

    /// Answers a request and brings along the device of the key; returns the id of its target.
    func register(
        _ phone: SyntheticAuthenticator, _ request: RegistrationRequest, on device: SyntheticDevice, named name: String
    ) async throws -> String? {
        let message = try client.answer(request, with: [phone])
        let parameters = try JSONParser.parse(message).asArray { value throws(JSONTypeError) in
            try value.asObject().string("fcParams")
        }[0]
        let target = try device.target(named: name)
        let proof = DispatchTargetProof(
            of: target, challengeHash: Array(SHA256.hash(data: Array(parameters.utf8))),
            audience: address(.registrationResponse, naming: nil))
        let proposal = DispatchTargetProposal.new(target, proof: try device.signed(proof))
        let response = try await send(
            .registrationResponse, body: Self.body(message, ResponseContext(dispatchTarget: proposal)), by: .noSender)
        let answer = try ServerResponse(body: response.body)
        try #require(answer.statusCode == .ok, "\(answer.statusCode)")
        return answer.dispatchTarget?.id
    }

    private static func body(_ message: [UInt8], _ context: ResponseContext? = nil) -> [UInt8] {
        let text = String(decoding: message, as: UTF8.self)
        guard let context else { return SendUAFResponse(uafResponse: text).body }
        return SendUAFResponse(uafResponse: text, context: context).body
    }

    // MARK: - Devices

    /// The claims of a request that a device makes now.
    func claims(_ target: String, _ endpoint: Endpoint, naming name: String) throws -> DeviceClaims {
        DeviceClaims(
            dispatchTargetID: target, requestID: UUID().uuidString,
            creationTime: Int64(Date().timeIntervalSince1970 * 1000), audience: address(endpoint, naming: name),
            method: endpoint.method)
    }
}
