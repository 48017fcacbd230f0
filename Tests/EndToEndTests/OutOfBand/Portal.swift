import BackendAPI
import BackendTransport
import UAF

/// The system at whose screens operations begin: it dispatches with an access key, and asks how far they are.
struct Portal: Sendable {
    /// The key of the system in the server's configuration.
    static let accessKey = "portal-key-0123456789-0123456789-0123456789"

    /// The scopes of the key.
    static let scopes = "[dispatch, \"dispatch:registration\", \"dispatch:deregistration\", status]"

    /// The server answered with an HTTP status that was not asked for.
    struct Refusal: Error { let status: Int }

    /// A name that is none.
    struct BadName: Error {}

    private let address: String
    private let transport: any HTTPTransport

    /// A portal of the server at a base address.
    init(at address: String, over transport: any HTTPTransport) {
        self.address = address
        self.transport = transport
    }

    // MARK: - Dispatching

    /// Begins a registration of a phone for a user.
    func register(_ user: String, by dispatcher: DispatcherName) async throws -> DispatchAnswer {
        let request = GetUAFRequest(RegistrationContext(username: try Self.name(user)))
        return try await dispatch(DispatchRequest(request, dispatcher: dispatcher), for: .registration)
    }

    /// Begins an authentication of a user, or the confirmation of a text; without a user, of the one who answers.
    func authenticate(
        _ user: String?, at target: String? = nil, by dispatcher: DispatcherName, confirming text: String? = nil,
        title: String? = nil, linking: ChannelLinkingMethod? = nil
    ) async throws -> DispatchAnswer {
        let transactions = text.map { [Transaction(contentType: .plainText, content: Array($0.utf8))] } ?? []
        let context = AuthenticationContext(username: try user.map(Self.name), transactions: transactions)
        return try await dispatch(
            DispatchRequest(
                GetUAFRequest(context), dispatcher: dispatcher, dispatchTargetID: target,
                dispatchInformation: title.map { DispatchInformation(title: $0) }, channelLinking: linking),
            for: .authentication)
    }

    private func dispatch(_ request: DispatchRequest, for operation: OperationKind) async throws -> DispatchAnswer {
        try DispatchAnswer(body: try await answer(.dispatchToken(operation), request.body))
    }

    /// The devices of a user.
    func targets(of user: String) async throws -> [DispatchTargetList.Entry] {
        let query = "?username=\(try Self.name(user).text)"
        return try DispatchTargetList(body: try await answer(.dispatchTargets, [], query)).entries
    }

    // MARK: - Asking

    /// How far an operation is; with a status that is known, the next one, for which the server lets us wait.
    func status(_ session: String, after known: SessionStatus.Status? = nil) async throws -> SessionStatus {
        let request =
            known.map { StatusRequest(sessionID: session, after: $0, wait: 30_000) }
            ?? StatusRequest(sessionID: session)
        return try SessionStatus(body: try await answer(.status, request.body))
    }

    /// Brings a token back as a stranger would who has seen it, and returns the status code.
    func redeem(_ token: String, for operation: OperationKind = .authentication) async throws -> StatusCode {
        try ReturnUAFRequest(body: try await answer(.redeemToken(operation), RedeemRequest(token: token).body))
            .statusCode
    }

    private func answer(_ endpoint: Endpoint, _ body: [UInt8], _ query: String = "") async throws -> [UInt8] {
        var headers: HeaderFields = [
            .init("Accept", endpoint.responseTypes.first == .fidoUAF ? "application/fido+uaf" : "application/json"),
            .init("Authorization", "Bearer \(Self.accessKey)"),
        ]
        if !body.isEmpty { headers.append("Content-Type", "application/json") }
        let method: BackendRequest.Method = endpoint.method == .get ? .get : .post
        let response = try await transport.response(
            to: BackendRequest(
                method, address + Endpoint.serviceRoot + endpoint.path + query, headers: headers, body: body))
        guard response.status == 200 else { throw Refusal(status: response.status) }
        return response.body
    }

    private static func name(_ text: String) throws -> UserName {
        guard let name = UserName(text) else { throw BadName() }
        return name
    }
}
