import BackendAPI
import TestSupport
import UAF

/// Phone with one registered key, which costs only its signatures: there is no PIN and no key derivation.
struct Phone: LoadSubject {
    private let username: UserName
    private let network: PhoneNetwork
    private let hasFreshConnections: Bool
    private let client: SyntheticClient
    private var authenticator: SyntheticAuthenticator
    private var connection: PhoneConnection?

    /// Phone of a user, with a new key that the server does not know yet.
    init(user: String, on network: PhoneNetwork, hasFreshConnections: Bool) throws {
        guard let username = UserName(user), let facet = FacetID("ios:bundle-id:org.signet.demo") else {
            throw BenchmarkFailure.badConstant
        }
        self.username = username
        self.network = network
        self.hasFreshConnections = hasFreshConnections
        client = SyntheticClient(facet: facet)
        authenticator = try SyntheticAuthenticator()
        authenticator.counters = Counters(signatures: 1, registrations: 1)
    }

    /// Registers the key.
    mutating func prepare() async throws {
        let connection = try await openConnection()
        let message = try await request(
            GetUAFRequest(RegistrationContext(username: username)), from: .registrationRequest, over: connection)
        guard case .registration(let request) = message else {
            throw BenchmarkFailure.noRequest(step: "registration")
        }
        try await send(
            try client.answer(request, with: [authenticator]), to: .registrationResponse, over: connection)
    }

    /// Signs in: two requests over the open connection, or over one that is opened and closed for it.
    mutating func work() async throws {
        if hasFreshConnections { try await hangUp() }
        let connection = try await openConnection()
        let message = try await request(
            GetUAFRequest(AuthenticationContext(username: username)), from: .authenticationRequest, over: connection)
        guard case .authentication(let request) = message else {
            throw BenchmarkFailure.noRequest(step: "authentication")
        }
        authenticator.counters = Counters(signatures: authenticator.counters.signatures + 1, registrations: 1)
        try await send(
            try client.answer(request, with: [authenticator]), to: .authenticationResponse, over: connection)
    }

    /// Closes the connection, if there is one.
    mutating func hangUp() async throws {
        try await connection?.close()
        connection = nil
    }

    private mutating func openConnection() async throws -> PhoneConnection {
        if let connection { return connection }
        let opened = try await network.connect()
        connection = opened
        return opened
    }

    private func request(
        _ asked: GetUAFRequest, from endpoint: Endpoint, over connection: PhoneConnection
    ) async throws -> OperationRequest {
        let answer = try ReturnUAFRequest(body: try await connection.post(asked.body, to: endpoint))
        guard answer.statusCode == .ok, let message = answer.uafRequest else {
            throw BenchmarkFailure.refused(step: endpoint.path, answer.statusCode)
        }
        return try OperationRequest(message: Array(message.utf8))
    }

    /// Sends a message and requires status 1200.
    private func send(_ message: [UInt8], to endpoint: Endpoint, over connection: PhoneConnection) async throws {
        let body = SendUAFResponse(uafResponse: String(decoding: message, as: UTF8.self)).body
        let verdict = try ServerResponse(body: try await connection.post(body, to: endpoint))
        guard verdict.statusCode == .ok else {
            throw BenchmarkFailure.refused(step: endpoint.path, verdict.statusCode)
        }
    }
}
