package import BackendAPI
package import BackendTransport
import Locking
import Octets
package import UAF

/// A server in the same process: it hands out requests, refuses what the real one refuses, and fails where it is told to.
///
/// Unless ``State/asksForLogin`` says otherwise a first key of a user needs no login.
package final class ScriptedBackend: HTTPTransport {
    /// Fault at a path.
    package enum Fault: Sendable {
        case httpStatus(Int)
        case uafStatus(StatusCode)
        case failure(BackendTransportError)
        case body([UInt8])
        /// Answers only when the task is canceled.
        case silence
        /// Does its work, then loses the answer.
        case lostAnswer
    }

    /// Treatment of the server binding.
    package enum BindingRule: Sendable {
        /// It announces that it judges the binding, as ours do, and judges it.
        case announced
        /// It judges the binding, and the announcement is lost on the way: always, or on the way to a phone that names an exchange.
        case stripped, strippedWhenNamed
        /// It is of another maker, and takes nothing but what the standard has.
        case unknown
    }

    package struct State {
        package var binding = BindingRule.announced
        package var facets = ["ios:bundle-id:com.example.app"]
        package var faults: [String: Fault] = [:]
        /// The models that may register, each by itself.
        package var aaids = ["F1D0#1001"]
        package var keys: [CredentialID] = []
        /// Public keys of those registrations.
        package var signatureKeys: [CredentialID: SignatureKey] = [:]
        /// Requests in the order in which they were handed out.
        package var issued: [IssuedRequest] = []
        /// The users of the keys.
        package var owners: [CredentialID: String] = [:]
        package var requests: [BackendRequest] = []
        package var transactions: [Transaction] = []
        package var lifetimeMillis: Int64? = 300_000
        package var cookies: [String] = []
        /// A registration needs a login.
        package var asksForLogin = false
        /// The users of logins, by the token or the value of the cookie `login`.
        package var logins = ["a.b.c": "jeff"]
        package var tokens: [Token] = []
        /// Records of devices.
        package var devices = ScriptedDevices()
        /// Kind of operation of each token.
        package var operations: [String: OperationKind] = [:]
        /// The users whom tokens are for; the others are for `invited`.
        package var users: [String: String] = [:]
        /// The text that the user of a token is asked to confirm.
        package var texts: [String: String] = [:]
        /// Results of redeemed tokens.
        package var outcomes: [String: Outcome] = [:]
        /// Tokens in the order in which they were redeemed.
        package var redeemed: [String] = []
        /// Contexts that came beside the responses.
        package var contexts: [ResponseContext] = []
        /// A user with a key on a device may not register another one.
        package var refusesFurtherKeys = false
        /// Certificates (DER) of the connections over which paths are reached; the others tell nothing of theirs.
        package var certificates: [String: [UInt8]] = [:]
        /// The user that a registration out of band is for.
        package var invited = "jeff"
    }

    package static let address = "https://server.example/nevisfido"
    package static let facetList = address + "/uaf/1.1/facets"
    private let state = Lock(State())

    package init() {}

    /// Changes what the server does, or reads it.
    @discardableResult
    package func script<Value: Sendable>(_ change: (inout State) -> Value) -> Value { state.withLock { change(&$0) } }

    package var requests: [BackendRequest] { state.withLock { $0.requests } }

    package var keys: [CredentialID] { state.withLock { $0.keys } }

    package var contexts: [ResponseContext] { state.withLock { $0.contexts } }

    package var devices: ScriptedDevices { state.withLock { $0.devices } }

    /// The requests for a path below the address.
    package func requests(to path: String) -> [BackendRequest] { requests.filter { $0.url == Self.address + path } }

    package func response(to request: BackendRequest) async throws(BackendTransportError) -> BackendResponse {
        let path = request.url.hasPrefix(Self.address) ? String(request.url.dropFirst(Self.address.count)) : request.url
        let fault = state.withLock { state in
            state.requests.append(request)
            return state.faults[path]
        }
        if state.withLock({ $0.binding }) == .unknown, request.headers.first(Endpoint.exchangeField) != nil {
            return BackendResponse(status: 400)
        }
        switch fault {
        case .none: return overConnection(answer(to: request, at: path), to: path)
        case .httpStatus(let status): return BackendResponse(status: status, body: Array("no".utf8))
        case .uafStatus(let status): return uaf(ServerResponse(statusCode: status).body)
        case .failure(let error): throw error
        case .body(let body): return uaf(body)
        case .lostAnswer:
            _ = answer(to: request, at: path)
            throw .timedOut
        case .silence:
            while !Task.isCancelled { await Task.yield() }
            throw .cancelled
        }
    }

    private func overConnection(_ response: BackendResponse, to path: String) -> BackendResponse {
        guard let certificate = state.withLock({ $0.certificates[path] }),
            let pin = PublicKeyPin([UInt8](repeating: 1, count: 32))
        else { return response }
        return BackendResponse(
            status: response.status, headers: response.headers, body: response.body,
            connection: ConnectionFacts(version: .tls13, certificate: certificate, publicKeyPin: pin))
    }

    private func answer(to request: BackendRequest, at path: String) -> BackendResponse {
        switch path {
        case "/uaf/1.1/facets": facetList()
        case "/uaf/1.1/request/registration/":
            refusal(of: request, for: RegistrationContext.self, login: asksForLogin)
                ?? (isRefused(request)
                    ? uaf(ReturnUAFRequest(statusCode: .unauthorized).body)
                    : requestAnswer(registrationRequest(request)))
        case "/uaf/1.1/request/authentication/":
            refusal(of: request, for: AuthenticationContext.self, login: false)
                ?? requestAnswer(authenticationRequest(request))
        case "/uaf/1.1/request/deregistration/": deregistration(request)
        case "/uaf/1.1/registration/", "/uaf/1.1/authentication/": verdict(request)
        case "/token/redeem/registration", "/token/redeem/authentication", "/token/redeem/deregistration":
            redeem(request)
        default: deviceAnswer(to: request, at: path)
        }
    }

    /// With the record of a key goes the key.
    private func deviceAnswer(to request: BackendRequest, at path: String) -> BackendResponse {
        state.withLock { state in
            let before = state.devices.records.flatMap(\.credentials)
            let response = state.devices.response(to: request, at: path, keys: state.keys)
            let after = state.devices.records.flatMap(\.credentials)
            state.keys.removeAll { before.contains($0) && !after.contains($0) }
            return response
        }
    }

    // MARK: - Logins

    private var asksForLogin: Bool { state.withLock { $0.asksForLogin } }

    /// A missing or unknown login is HTTP status 401; the login of another user is status 1401.
    private func refusal<Context: NamingContext>(
        of request: BackendRequest, for type: Context.Type, login isRequired: Bool
    ) -> BackendResponse? {
        let token = request.headers.first("Authorization").map { String($0.dropFirst("Bearer ".count)) }
        let cookies = request.headers.first("Cookie").map { $0.split(separator: "; ").map(String.init) } ?? []
        let shown = token ?? cookies.first { $0.hasPrefix("login=") }.map { String($0.dropFirst("login=".count)) }
        guard shown != nil || isRequired else { return nil }
        guard let user = shown.flatMap({ shown in state.withLock { $0.logins[shown] } }) else {
            return BackendResponse(
                status: 401, body: ErrorBody(timestamp: 0, status: 401, code: .unauthorized).body)
        }
        let context: Context? = try? GetUAFRequest(body: request.body).context()
        guard let name = context?.name, name.text != user else { return nil }
        return uaf(ReturnUAFRequest(statusCode: .unauthorized).body)
    }

    // MARK: - Requests

    private func header(
        _ operation: OperationKind, _ serverData: ServerData?, in exchange: String = ""
    ) -> OperationHeader {
        OperationHeader(
            operation: operation, appID: AppID(Self.facetList), serverData: serverData,
            extensions: announces(exchange) ? [.serverBindingAnnouncement] : [])
    }

    private func announces(_ exchange: String) -> Bool {
        switch state.withLock({ $0.binding }) {
        case .announced: true
        case .strippedWhenNamed: exchange.isEmpty
        case .stripped, .unknown: false
        }
    }

    private func exchange(of request: BackendRequest) -> String {
        state.withLock { $0.binding } == .unknown ? "" : request.headers.first(Endpoint.exchangeField) ?? ""
    }

    private func isRefused(_ request: BackendRequest) -> Bool {
        let context: RegistrationContext? = try? GetUAFRequest(body: request.body).context()
        return state.withLock { state in
            state.refusesFurtherKeys && state.devices.records.contains { $0.username == context?.username.text }
        }
    }

    private func registrationRequest(_ request: BackendRequest) -> OperationRequest? {
        let context: RegistrationContext? = try? GetUAFRequest(body: request.body).context()
        if let context { state.withLock { $0.invited = context.username.text } }
        return context.flatMap { registrationRequest(for: $0.username, in: exchange(of: request)) }
    }

    private func registrationRequest(
        for username: UserName, in exchange: String = "", token: String? = nil
    ) -> OperationRequest? {
        let (issue, aaids, keys) = state.withLock { state in
            (
                state.issue(for: username.text, in: exchange, token: token), state.aaids.compactMap { AAID($0) },
                state.keys.filter { state.owners[$0] == nil || state.owners[$0] == username.text }
            )
        }
        guard let issue else { return nil }
        let disallowed = keys.map { MatchCriteria(aaids: [$0.aaid], keyIDs: [$0.keyID]) }
        return .registration(
            RegistrationRequest(
                header: header(.registration, issue.serverData, in: exchange), challenge: issue.challenge,
                username: username,
                policy: Policy(accepted: aaids.map { [MatchCriteria(aaids: [$0])] }, disallowed: disallowed)))
    }

    private func authenticationRequest(_ request: BackendRequest) -> OperationRequest? {
        let context: AuthenticationContext? = try? GetUAFRequest(body: request.body).context()
        return authenticationRequest(for: context?.username?.text, in: exchange(of: request))
    }

    /// For a known user the policy names their keys.
    private func authenticationRequest(
        for username: String?, in exchange: String = "", token: String? = nil
    ) -> OperationRequest? {
        let (issue, keys, transactions) = state.withLock { state in
            let transactions =
                token.flatMap { state.texts[$0] }.map {
                    [Transaction(contentType: .plainText, content: Array($0.utf8))]
                }
                ?? state.transactions
            return (
                state.issue(for: username, in: exchange, transactions, token: token),
                state.keys.filter { username == nil || state.owners[$0] == username }, transactions
            )
        }
        guard let issue else { return nil }
        let accepted = keys.map { [MatchCriteria(aaids: [$0.aaid], keyIDs: [$0.keyID])] }
        return .authentication(
            AuthenticationRequest(
                header: header(.authentication, issue.serverData, in: exchange), challenge: issue.challenge,
                transactions: transactions, policy: Policy(accepted: accepted)))
    }

    private func requestAnswer(_ request: OperationRequest?) -> BackendResponse {
        guard let request else { return uaf(ReturnUAFRequest(statusCode: .badRequest).body) }
        let text = String(decoding: request.message, as: UTF8.self)
        let lifetime = state.withLock { $0.lifetimeMillis }
        return uaf(
            ReturnUAFRequest(uafRequest: text, operation: request.header.operation, lifetimeMillis: lifetime).body)
    }

    /// A token is good once.
    private func redeem(_ request: BackendRequest) -> BackendResponse {
        guard let token = try? RedeemRequest(body: request.body).token else { return BackendResponse(status: 400) }
        let (operation, isUsed, user, invited) = state.withLock { state in
            defer { state.redeemed.append(token) }
            return (
                state.operations[token], state.redeemed.contains(token), state.users[token], state.invited
            )
        }
        guard !isUsed else { return uaf(ReturnUAFRequest(statusCode: .requestInvalid).body) }
        switch operation {
        case .registration?:
            return requestAnswer(UserName(user ?? invited).flatMap { registrationRequest(for: $0, token: token) })
        case .authentication?: return requestAnswer(authenticationRequest(for: user, token: token))
        case .deregistration?: return forget { $0.owners[$1] == user ?? invited }
        case nil: return uaf(ReturnUAFRequest(statusCode: .notFound).body)
        }
    }

    private func deregistration(_ request: BackendRequest) -> BackendResponse {
        if let refusal = refusal(of: request, for: DeregistrationContext.self, login: true) { return refusal }
        guard let context: DeregistrationContext = try? GetUAFRequest(body: request.body).context(),
            case .keys(let asked) = context.scope
        else { return uaf(ReturnUAFRequest(statusCode: .badRequest).body) }
        return forget { asked.contains($1) && $0.owners[$1] == context.username?.text }
    }

    /// Forgets keys, and says which in the form of a request.
    private func forget(_ isMeant: (State, CredentialID) -> Bool) -> BackendResponse {
        let removed = state.withLock { state in
            let removed = state.keys.filter { isMeant(state, $0) }
            state.keys.removeAll(where: removed.contains)
            return removed
        }
        guard !removed.isEmpty else { return uaf(ReturnUAFRequest(statusCode: .ok).body) }
        return requestAnswer(
            .deregistration(
                DeregistrationRequest(
                    header: header(.deregistration, nil), authenticators: removed.map { .key($0) })))
    }

    // MARK: - Answers

    /// Takes an answer to a request of this server.
    private func verdict(_ request: BackendRequest) -> BackendResponse {
        let sent = try? SendUAFResponse(body: request.body)
        let context = try? sent?.context()
        if let context { state.withLock { $0.contexts.append(context) } }
        let message = Array((sent?.uafResponse ?? "").utf8)
        if let report = try? EndedOperation(message: message) {
            return uaf(ServerResponse(statusCode: state.withLock { $0.end(report) }).body)
        }
        guard let response = try? OperationResponse(message: message) else { return BackendResponse(status: 400) }
        let verdict = state.withLock { state in
            Result { () throws(Refusal) in (try state.take(response, context), state.tokens, state.cookies) }
        }
        switch verdict {
        case .success((let target, let tokens, let cookies)):
            return uaf(
                ServerResponse(statusCode: .ok, additionalTokens: tokens, dispatchTarget: target).body, cookies: cookies
            )
        case .failure(.status(let status)): return uaf(ServerResponse(statusCode: status).body)
        case .failure(.device(let refused)): return refused.response
        }
    }

    private func uaf(_ body: [UInt8], cookies: [String] = []) -> BackendResponse {
        var headers: HeaderFields = [HeaderFields.Field("Content-Type", "application/fido+uaf;charset=UTF-8")]
        for cookie in cookies { headers.append("Set-Cookie", cookie) }
        return BackendResponse(status: 200, headers: headers, body: body)
    }

    private func facetList() -> BackendResponse {
        let ids = state.withLock { $0.facets }.compactMap { FacetID($0) }
        let list = TrustedFacetList(entries: [TrustedFacetList.Entry(ids: ids)])
        return BackendResponse(
            status: 200,
            headers: [
                HeaderFields.Field("Content-Type", TrustedFacetList.mediaType),
                HeaderFields.Field("Cache-Control", "max-age=60"),
            ], body: list.document)
    }
}

/// A context that may name a user.
private protocol NamingContext: RequestContext {
    var name: UserName? { get }
}

extension RegistrationContext: NamingContext {
    fileprivate var name: UserName? { username }
}

extension AuthenticationContext: NamingContext {
    fileprivate var name: UserName? { username }
}

extension DeregistrationContext: NamingContext {
    fileprivate var name: UserName? { username }
}
