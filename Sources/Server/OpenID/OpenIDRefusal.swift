package import ServerCore

/// Refusal of a request to the provider, in the words of the standards: body `{"error":…,"error_description":…}`.
package struct OpenIDRefusal: Error, Sendable, Hashable {
    /// Error code (RFC 6749, 4.1.2.1 and 5.2; RFC 9449, 12.2; OpenID Connect Core 1.0, 3.1.2.6; CIBA Core 1.0, 11 and 13).
    package enum Code: String, Sendable, Hashable, CaseIterable {
        case invalidRequest = "invalid_request"
        case invalidClient = "invalid_client"
        case invalidGrant = "invalid_grant"
        case unauthorizedClient = "unauthorized_client"
        case unsupportedGrantType = "unsupported_grant_type"
        case unsupportedResponseType = "unsupported_response_type"
        case unsupportedTokenType = "unsupported_token_type"
        case invalidScope = "invalid_scope"
        case invalidToken = "invalid_token"
        case invalidDPoPProof = "invalid_dpop_proof"
        case insufficientScope = "insufficient_scope"
        case accessDenied = "access_denied"
        case serverError = "server_error"
        case temporarilyUnavailable = "temporarily_unavailable"
        case loginRequired = "login_required"
        case interactionRequired = "interaction_required"
        case requestNotSupported = "request_not_supported"
        case requestURINotSupported = "request_uri_not_supported"
        case invalidRequestURI = "invalid_request_uri"
        case unmetAuthenticationRequirements = "unmet_authentication_requirements"
        case invalidAuthorizationDetails = "invalid_authorization_details"
        case expiredLoginHintToken = "expired_login_hint_token"
        case unknownUserID = "unknown_user_id"
        case missingUserCode = "missing_user_code"
        case invalidBindingMessage = "invalid_binding_message"
        case authorizationPending = "authorization_pending"
        case slowDown = "slow_down"
        case expiredToken = "expired_token"
        case transactionFailed = "transaction_failed"
    }

    /// Refusal while storage or keys cannot be reached; nothing is granted, and the client may come again.
    package static let outage = OpenIDRefusal(
        .temporarilyUnavailable, retryAfter: 5, cause: "the server cannot use its database or its keys")

    package let code: Code
    /// Name of the field that is wrong; never its value.
    package let field: String?
    /// Wait in seconds for ``Code/temporarilyUnavailable`` and ``Code/slowDown``.
    package let retryAfter: Int?
    /// Sentence of ours that says what is wrong and what helps; nil: the field says it.
    ///
    /// ASCII without quotes and backslashes (RFC 6749, 4.1.2.1).
    package let advice: String?
    /// Words for the log alone, such as why a proof does not hold.
    package let cause: String?
    /// Client that is refused, for the log alone; nil where the request names none that is registered.
    package private(set) var client: ClientID?

    package init(
        _ code: Code, field: String? = nil, retryAfter: Int? = nil, advice: String? = nil, cause: String? = nil,
        client: ClientID? = nil
    ) {
        self.code = code
        self.field = field
        self.retryAfter = retryAfter
        self.advice = advice
        self.cause = cause
        self.client = client
    }

    package func of(_ client: ClientID) -> OpenIDRefusal {
        var refusal = self
        refusal.client = client
        return refusal
    }

    /// Words for the log: never a value that came with the request.
    package var reason: String { cause ?? description ?? code.rawValue }

    /// Whether the server is at fault, and an operator has to hear of each.
    package var isFault: Bool { code == .serverError || cause == Self.outage.cause }

    /// Whether the refusal belongs to the course of things: the phone has not answered yet.
    package var isExpected: Bool { code == .authorizationPending || code == .slowDown }

    /// Value of `error_description`; nil where the code says everything.
    package var description: String? { advice ?? field.map { "The field \($0) is missing or wrong." } }

    /// Compares what is refused; ``advice``, ``cause`` and ``client`` are for people.
    package static func == (one: OpenIDRefusal, other: OpenIDRefusal) -> Bool {
        one.code == other.code && one.field == other.field && one.retryAfter == other.retryAfter
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(field)
        hasher.combine(retryAfter)
    }

    /// HTTP status of the answer to a client: 401 for ``Code/invalidClient`` and ``Code/invalidToken``, 403 for
    /// ``Code/insufficientScope``, 503 for ``Code/temporarilyUnavailable``, 500 for ``Code/serverError``, else 400.
    package var status: Int {
        switch code {
        case .invalidClient, .invalidToken: 401
        case .insufficientScope: 403
        case .temporarilyUnavailable: 503
        case .serverError: 500
        case .invalidRequest, .invalidGrant, .invalidDPoPProof, .unauthorizedClient, .unsupportedGrantType,
            .unsupportedResponseType,
            .unsupportedTokenType, .invalidScope, .loginRequired, .interactionRequired, .requestNotSupported,
            .requestURINotSupported, .invalidRequestURI, .unmetAuthenticationRequirements, .invalidAuthorizationDetails,
            .expiredLoginHintToken, .unknownUserID, .missingUserCode, .invalidBindingMessage, .authorizationPending,
            .slowDown, .expiredToken, .transactionFailed, .accessDenied:
            400
        }
    }
}

extension OpenIDRefusal {
    /// The refusal that a failure of the server leads to; nothing was granted.
    init(_ error: ServerError) {
        switch error {
        case .overloaded(let wait), .throttled(let wait), .tooManyOperations(let wait), .quietHours(let wait),
            .undelivered(let wait):
            self.init(.temporarilyUnavailable, retryAfter: Int(clamping: max(1, wait.components.seconds)))
        case .storageUnavailable: self = .outage
        default: self.init(.serverError)
        }
    }
}

/// Runs what serves a client; a refusal names the client.
package func serving<Value>(
    _ client: RegisteredClient, _ body: () async throws(OpenIDRefusal) -> Value
) async throws(OpenIDRefusal) -> Value {
    do throws(OpenIDRefusal) {
        return try await body()
    } catch {
        throw error.of(client.id)
    }
}
