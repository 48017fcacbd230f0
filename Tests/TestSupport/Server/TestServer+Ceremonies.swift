package import BackendAPI
package import ServerCore
package import UAF

extension TestServer {
    /// The phone.
    package var client: SyntheticClient {
        get throws {
            guard let facet = FacetID(Self.facet) else { throw Failure.setUp }
            return SyntheticClient(facet: facet)
        }
    }

    /// A name; throws for text that is none.
    package func name(_ text: String) throws -> UserName {
        guard let name = UserName(text) else { throw Failure.setUp }
        return name
    }

    /// The authorization of a user who has logged in by these methods, a second from now: what ends all logins in the
    /// same moment of the clock does not end this one.
    package func grant(_ user: User, _ methods: Set<AuthenticationMethod> = [.fidoUAF]) -> RequestAuthorization {
        let evidence = RequestAuthorization.Evidence(authenticatedAt: clock.now() + .seconds(1))
        return .granted(RequestAuthorization.Grant(user: user, methods: methods, evidence: evidence))
    }

    // MARK: - Registration

    /// Asks for a registration and reads the request.
    package func registrationRequest(
        for user: User, asking name: String? = nil, policy: String? = nil,
        _ methods: Set<AuthenticationMethod> = [.fidoUAF]
    ) async throws -> RegistrationRequest {
        let asked = GetUAFRequest(
            RegistrationContext(username: try self.name(name ?? user.name.text), policy: policy))
        let answer = try await services.registration.issueRequest(
            asked, authorization: grant(user, methods), client: ClientContext())
        guard case .registration(let request) = try Self.request(answer) else { throw Failure.setUp }
        return request
    }

    /// Sends an answer to a registration request.
    package func answerRegistration(_ message: [UInt8]) async -> StatusCode {
        let response = SendUAFResponse(uafResponse: String(decoding: message, as: UTF8.self))
        return await services.registration.acceptResponse(response, client: ClientContext()).message.statusCode
    }

    /// Registers an authenticator from beginning to end.
    @discardableResult
    package func register(_ authenticator: SyntheticAuthenticator, for user: User) async throws -> StatusCode {
        let request = try await registrationRequest(for: user)
        return await answerRegistration(try client.answer(request, with: [authenticator]))
    }

    // MARK: - Authentication

    /// Asks for an authentication and reads the request.
    package func authenticationRequest(
        for name: String?, transaction: String? = nil
    ) async throws -> AuthenticationRequest {
        let transactions = transaction.map {
            [Transaction(contentType: .plainText, content: Array($0.utf8))]
        }
        let asked = GetUAFRequest(
            AuthenticationContext(username: try name.map(self.name), transactions: transactions ?? []))
        let answer = try await services.authentication.issueRequest(
            asked, entry: .service, authorization: .absent, client: ClientContext())
        guard case .authentication(let request) = try Self.request(answer.message) else { throw Failure.setUp }
        return request
    }

    /// Sends an answer to an authentication request.
    package func answerAuthentication(_ message: [UInt8], cookie: String? = nil) async -> AcceptedAnswer {
        let response = SendUAFResponse(uafResponse: String(decoding: message, as: UTF8.self))
        return await services.authentication.acceptResponse(
            response, client: ClientContext(bindingCookie: cookie))
    }

    /// Authenticates from beginning to end.
    package func authenticate(_ name: String?, with authenticator: SyntheticAuthenticator) async throws
        -> AcceptedAnswer
    {
        let request = try await authenticationRequest(for: name)
        return await answerAuthentication(try client.answer(request, with: [authenticator]))
    }

    /// The request inside an answer.
    package static func request(_ answer: ReturnUAFRequest) throws -> OperationRequest {
        guard let text = answer.uafRequest else { throw Failure.noRequest(answer.statusCode) }
        return try OperationRequest(message: Array(text.utf8))
    }

    /// The kinds of the audit records so far, in order.
    package func auditKinds() async throws -> [String] {
        try await auditTexts().map { text in
            AuditEvent.Kind.allCases.map(\.rawValue).first { text.contains("\"event\":\"\($0)\"") } ?? text
        }
    }

    /// The record of the refusals counted last, after their window; nil when there is none.
    package func countedRefusals() async throws -> String? {
        clock.advance(by: RefusalCounter.window)
        await services.maintain()
        return try await auditTexts().last { $0.contains("REFUSALS_COUNTED") }
    }

    /// The audit records so far as JSON, in order.
    package func auditTexts() async throws -> [String] {
        try await storage.audit.records(of: "main", after: 0, limit: 1000).map {
            String(decoding: $0.event, as: UTF8.self)
        }
    }
}
