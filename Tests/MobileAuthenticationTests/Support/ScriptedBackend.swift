import BackendAPI
import BackendTransport
import Octets
import Synchronization
import UAF

/// A server in the same process, with which anybody may register a first key: it hands out requests, refuses what the real
/// one refuses but for signatures, and fails where it is told to.
final class ScriptedBackend: HTTPTransport {
    /// What goes wrong at a path.
    enum Fault: Sendable {
        case httpStatus(Int)
        case uafStatus(StatusCode)
        case failure(BackendTransportError)
        case body([UInt8])
        /// Answers only when the task is canceled.
        case silence
        /// Does its work, then loses the answer.
        case lostAnswer
    }

    /// What the server makes of the server binding.
    enum BindingRule: Sendable {
        /// It announces that it judges the binding, as ours do, and judges it.
        case announced
        /// It judges the binding, and the announcement is lost on the way: always, or on the way to who names an exchange.
        case stripped, strippedWhenNamed
        /// It is of another maker, and takes nothing but what the standard has.
        case unknown
    }

    struct State {
        var binding = BindingRule.announced
        var facets = ["ios:bundle-id:com.example.app"]
        var faults: [String: Fault] = [:]
        /// The models that may register, each by itself.
        var aaids = ["F1D0#1001"]
        var keys: [CredentialID] = []
        /// Whose keys they are, as far as it is known.
        var owners: [CredentialID: String] = [:]
        var requests: [BackendRequest] = []
        var transactions: [Transaction] = []
        var lifetimeMillis: Int64? = 300_000
        var cookies: [String] = []
        /// The users of logins, by the token or the value of the cookie `login`.
        var logins = ["a.b.c": "jeff"]
        var tokens: [Token] = []
        /// What the server keeps of devices.
        var devices = ScriptedDevices()
        /// What is behind tokens.
        var operations: [String: OperationKind] = [:]
        /// Tokens that were redeemed, and when.
        var redeemed: [String] = []
        /// What came beside the responses.
        var contexts: [ResponseContext] = []
        /// Whether a user with a key on a device may not register another one.
        var refusesFurtherKeys = false
        /// Certificates (DER) of the connections over which paths are reached; the others tell nothing of theirs.
        var certificates: [String: [UInt8]] = [:]
        /// The user that a registration out of band is for.
        var invited = "jeff"
    }

    static let address = "https://server.example/nevisfido"
    static let facetList = address + "/uaf/1.1/facets"
    private static let seal = "sealed"
    private let state = Mutex(State())

    /// Changes what the server does.
    func script(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

    var requests: [BackendRequest] { state.withLock { $0.requests } }

    var keys: [CredentialID] { state.withLock { $0.keys } }

    var contexts: [ResponseContext] { state.withLock { $0.contexts } }

    var devices: ScriptedDevices { state.withLock { $0.devices } }

    /// The requests for a path below the address.
    func requests(to path: String) -> [BackendRequest] { requests.filter { $0.url == Self.address + path } }

    func response(to request: BackendRequest) async throws(BackendTransportError) -> BackendResponse {
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
            refusal(of: request, for: RegistrationContext.self, whoMay: .beAbsent)
                ?? (isRefused(request)
                    ? uaf(ReturnUAFRequest(statusCode: .unauthorized).body)
                    : requestAnswer(registrationRequest(request)))
        case "/uaf/1.1/request/authentication/":
            refusal(of: request, for: AuthenticationContext.self, whoMay: .beAbsent)
                ?? requestAnswer(authenticationRequest(in: exchange(of: request)))
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

    private enum Admission { case beAbsent, logIn }

    /// A login that is missing, or that none has, is HTTP status 401; that of another user is status 1401.
    private func refusal<Context: NamingContext>(
        of request: BackendRequest, for type: Context.Type, whoMay admission: Admission
    ) -> BackendResponse? {
        let token = request.headers.first("Authorization").map { String($0.dropFirst("Bearer ".count)) }
        let cookies = request.headers.first("Cookie").map { $0.split(separator: "; ").map(String.init) } ?? []
        let shown = token ?? cookies.first { $0.hasPrefix("login=") }.map { String($0.dropFirst("login=".count)) }
        guard shown != nil || admission == .logIn else { return nil }
        guard let user = shown.flatMap({ shown in state.withLock { $0.logins[shown] } }) else {
            return BackendResponse(
                status: 401, body: ErrorBody(timestamp: 0, status: 401, code: .unauthorized).body)
        }
        let context: Context? = try? GetUAFRequest(body: request.body).context()
        guard let name = context?.name, name.text != user else { return nil }
        return uaf(ReturnUAFRequest(statusCode: .unauthorized).body)
    }

    // MARK: - Requests

    /// The name of the exchange is sealed as it came.
    private func header(_ operation: OperationKind, in exchange: String = "") -> OperationHeader {
        OperationHeader(
            operation: operation, appID: AppID(Self.facetList), serverData: ServerData(Self.seal + exchange),
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

    private var challenge: ServerChallenge? { ServerChallenge([UInt8](repeating: 9, count: 32)) }

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

    private func registrationRequest(for username: UserName, in exchange: String = "") -> OperationRequest? {
        guard let challenge else { return nil }
        let aaids = state.withLock { $0.aaids }.compactMap { AAID($0) }
        let owners = state.withLock { $0.owners }
        let disallowed = keys.filter { owners[$0] == nil || owners[$0] == username.text }.map {
            MatchCriteria(aaids: [$0.aaid], keyIDs: [$0.keyID])
        }
        return .registration(
            RegistrationRequest(
                header: header(.registration, in: exchange), challenge: challenge, username: username,
                policy: Policy(accepted: aaids.map { [MatchCriteria(aaids: [$0])] }, disallowed: disallowed)))
    }

    private func authenticationRequest(in exchange: String = "") -> OperationRequest? {
        guard let challenge else { return nil }
        let (keys, transactions) = state.withLock { ($0.keys, $0.transactions) }
        let accepted = keys.map { [MatchCriteria(aaids: [$0.aaid], keyIDs: [$0.keyID])] }
        return .authentication(
            AuthenticationRequest(
                header: header(.authentication, in: exchange), challenge: challenge, transactions: transactions,
                policy: Policy(accepted: accepted)))
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
        let (operation, isUsed, invited) = state.withLock { state in
            defer { state.redeemed.append(token) }
            return (state.operations[token], state.redeemed.contains(token), state.invited)
        }
        guard !isUsed else { return uaf(ReturnUAFRequest(statusCode: .requestInvalid).body) }
        switch operation {
        case .registration?: return requestAnswer(UserName(invited).flatMap { registrationRequest(for: $0) })
        case .authentication?: return requestAnswer(authenticationRequest())
        case .deregistration?: return forget { $0.owners[$1] == invited }
        case nil: return uaf(ReturnUAFRequest(statusCode: .notFound).body)
        }
    }

    private func deregistration(_ request: BackendRequest) -> BackendResponse {
        if let refusal = refusal(of: request, for: DeregistrationContext.self, whoMay: .logIn) { return refusal }
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
                DeregistrationRequest(header: header(.deregistration), authenticators: removed.map { .key($0) })))
    }

    // MARK: - Answers

    /// Takes a response for its request by a key of this server; signatures are the business of others.
    private func verdict(_ request: BackendRequest) -> BackendResponse {
        let sent = try? SendUAFResponse(body: request.body)
        let context = try? sent?.context()
        if let context { state.withLock { $0.contexts.append(context) } }
        guard let body = sent,
            let response = try? OperationResponse(message: Array(body.uafResponse.utf8))
        else { return BackendResponse(status: 400) }
        if let status = refusal(of: response) { return uaf(ServerResponse(statusCode: status).body) }
        var target: CreatedDispatchTarget?
        switch response {
        case .registration(let response):
            guard let octets = try? response.assertions.first?.octets(),
                let assertion = try? RegistrationAssertion(octets: octets)
            else { return uaf(ServerResponse(statusCode: .unacceptableContent).body) }
            let credential = assertion.keyRegistrationData.credential
            switch state.withLock({
                $0.devices.take(context?.dispatchTarget, with: response, for: $0.invited, credential)
            }) {
            case .failure(let refusal): return refusal.response
            case .success(let created): target = created
            }
            state.withLock { state in
                state.keys.append(credential)
                state.owners[credential] = state.invited
            }
        case .authentication(let response):
            guard let octets = try? response.assertions.first?.octets(),
                let assertion = try? AuthenticationAssertion(octets: octets)
            else { return uaf(ServerResponse(statusCode: .unacceptableContent).body) }
            guard keys.contains(assertion.signedData.credential) else {
                return uaf(ServerResponse(statusCode: .unknownKeyID).body)
            }
        }
        let (tokens, cookies) = state.withLock { ($0.tokens, $0.cookies) }
        return uaf(
            ServerResponse(statusCode: .ok, additionalTokens: tokens, dispatchTarget: target).body, cookies: cookies)
    }

    /// Status for a response that answers no request of this server; nil for one that does.
    private func refusal(of response: OperationResponse) -> StatusCode? {
        guard let sealed = response.header.serverData?.text, sealed.hasPrefix(Self.seal) else { return .requestInvalid }
        guard isJudged(response.finalChallenge.serverBinding, String(sealed.dropFirst(Self.seal.count))) else {
            return .channelBindingRefused
        }
        return !response.hasAssertion || isForRequest(response.finalChallenge) ? nil : .unacceptableContent
    }

    /// Whether a server binding is right for the exchange that the request was asked for in.
    private func isJudged(_ binding: ServerBinding?, _ exchange: String) -> Bool {
        guard state.withLock({ $0.binding }) != .unknown else { return binding == nil }
        return binding.map { $0.origin == "https://server.example" } ?? true
            && binding?.exchange?.base64URL ?? "" == exchange
    }

    private func isForRequest(_ parameters: FinalChallengeParameters) -> Bool {
        let facets = state.withLock { $0.facets }
        return parameters.challenge == challenge && parameters.appID == AppID(Self.facetList)
            && facets.contains(parameters.facetID.text)
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

extension OperationResponse {
    var finalChallenge: FinalChallengeParameters {
        switch self {
        case .registration(let response): response.finalChallenge
        case .authentication(let response): response.finalChallenge
        }
    }

    fileprivate var hasAssertion: Bool {
        switch self {
        case .registration(let response): !response.assertions.isEmpty
        case .authentication(let response): !response.assertions.isEmpty
        }
    }
}
