import BackendAPI
import TestSupport
import UAF

/// UAF exchanges of a phone.
extension PhoneConnection {
    /// Asks for a request of a ceremony; throws unless the server has one.
    func request(_ asked: GetUAFRequest, from endpoint: Endpoint) async throws -> OperationRequest {
        let answer = try ReturnUAFRequest(body: try await post(asked.body, to: endpoint))
        guard answer.statusCode == .ok, let message = answer.uafRequest else {
            throw BenchmarkFailure.refused(step: endpoint.path, answer.statusCode)
        }
        return try OperationRequest(message: Array(message.utf8))
    }

    /// Sends the answer to a request; throws unless its status is 1200.
    func send(_ message: [UInt8], to endpoint: Endpoint) async throws {
        let body = SendUAFResponse(uafResponse: String(decoding: message, as: UTF8.self)).body
        let verdict = try ServerResponse(body: try await post(body, to: endpoint))
        guard verdict.statusCode == .ok else {
            throw BenchmarkFailure.refused(step: endpoint.path, verdict.statusCode)
        }
    }

    /// Registers the authenticator for a user: two requests.
    func register(
        _ authenticator: SyntheticAuthenticator, of username: UserName, as client: SyntheticClient
    ) async throws {
        let asked = GetUAFRequest(RegistrationContext(username: username))
        guard case .registration(let request) = try await request(asked, from: .registrationRequest) else {
            throw BenchmarkFailure.noRequest(step: "registration")
        }
        try await send(try client.answer(request, with: [authenticator]), to: .registrationResponse)
    }

    /// Asks for an authentication request for a user.
    func authenticationRequest(for username: UserName) async throws -> AuthenticationRequest {
        let asked = GetUAFRequest(AuthenticationContext(username: username))
        guard case .authentication(let request) = try await request(asked, from: .authenticationRequest) else {
            throw BenchmarkFailure.noRequest(step: "authentication")
        }
        return request
    }

    /// Signs a user in: two requests.
    func signIn(
        _ username: UserName, with authenticator: SyntheticAuthenticator, as client: SyntheticClient
    ) async throws {
        let request = try await authenticationRequest(for: username)
        try await send(try client.answer(request, with: [authenticator]), to: .authenticationResponse)
    }
}
