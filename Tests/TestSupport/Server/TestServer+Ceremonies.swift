package import BackendAPI
import Octets
import OpenID
package import ServerCore
import StrictJSON
package import UAF
package import UAFService

extension TestServer {
    /// Client side of ceremonies.
    package var client: SyntheticClient {
        get throws {
            guard let facet = FacetID(Self.facet) else { throw Failure.setUp }
            return SyntheticClient(facet: facet)
        }
    }

    /// Parses a user name; throws for an invalid one.
    package func name(_ text: String) throws -> UserName {
        guard let name = UserName(text) else { throw Failure.setUp }
        return name
    }

    /// Authorization of a user who authenticates with these methods, a second from now, so that ending all sessions at
    /// the present time of the clock does not end this one.
    package func grant(_ user: User, _ methods: Set<AuthenticationMethod> = [.fidoUAF]) -> RequestAuthorization {
        let evidence = RequestAuthorization.Evidence(authenticatedAt: clock.now() + .seconds(1))
        return .granted(RequestAuthorization.Login(user: user, methods: methods, evidence: evidence))
    }

    // MARK: - Registration

    /// Requests a registration and parses the request.
    package func registrationRequest(
        for user: User, asking name: String? = nil, policy: String? = nil,
        _ methods: Set<AuthenticationMethod> = [.fidoUAF]
    ) async throws -> RegistrationRequest {
        let asked = GetUAFRequest(
            RegistrationContext(username: try self.name(name ?? user.name.text), policy: policy))
        let answer = try await services.registrationRequests.issueRequest(
            asked, authorization: grant(user, methods), client: ClientContext())
        guard case .registration(let request) = try Self.request(answer) else { throw Failure.setUp }
        return request
    }

    /// Sends a response to a registration request; an HTTP status instead of an answer counts as status 1500.
    package func answerRegistration(_ message: [UInt8]) async -> StatusCode {
        let response = SendUAFResponse(uafResponse: String(decoding: message, as: UTF8.self))
        do throws(ServerError) {
            return try await services.registrationResponses.acceptResponse(
                response, client: ClientContext()
            ).message.statusCode
        } catch {
            return .internalServerError
        }
    }

    /// Performs a complete registration of an authenticator.
    @discardableResult
    package func register(_ authenticator: SyntheticAuthenticator, for user: User) async throws -> StatusCode {
        let request = try await registrationRequest(for: user)
        return await answerRegistration(try client.answer(request, with: [authenticator]))
    }

    // MARK: - Authentication

    /// Requests an authentication and parses the request.
    package func authenticationRequest(
        for name: String?, transaction: String? = nil
    ) async throws -> AuthenticationRequest {
        let transactions = transaction.map {
            [Transaction(contentType: .plainText, content: Array($0.utf8))]
        }
        let asked = GetUAFRequest(
            AuthenticationContext(username: try name.map(self.name), transactions: transactions ?? []))
        let answer = try await services.authenticationRequests.issueRequest(
            asked, entry: .service, authorization: .absent, client: ClientContext())
        guard case .authentication(let request) = try Self.request(answer.message) else { throw Failure.setUp }
        return request
    }

    /// Sends a response to an authentication request; an HTTP status instead of an answer counts as status 1500.
    package func answerAuthentication(_ message: [UInt8], cookie: String? = nil) async -> AcceptedAnswer {
        let response = SendUAFResponse(uafResponse: String(decoding: message, as: UTF8.self))
        do throws(ServerError) {
            return try await services.authenticationResponses.acceptResponse(
                response, client: ClientContext(bindingCookie: cookie.map(Sensitive.init)))
        } catch {
            return AcceptedAnswer(ServerResponse(statusCode: .internalServerError))
        }
    }

    /// Performs a complete authentication.
    package func authenticate(_ name: String?, with authenticator: SyntheticAuthenticator) async throws
        -> AcceptedAnswer
    {
        let request = try await authenticationRequest(for: name)
        return await answerAuthentication(try client.answer(request, with: [authenticator]))
    }

    /// UAF request in a response of the server.
    package static func request(_ answer: ReturnUAFRequest) throws -> OperationRequest {
        guard let text = answer.uafRequest else { throw Failure.noRequest(answer.statusCode) }
        return try OperationRequest(message: Array(text.utf8))
    }

    /// Kinds of the audit records so far, in order.
    package func auditKinds() async throws -> [String] {
        try await auditTexts().map { text in
            AuditEvent.Kind.allCases.map(\.rawValue).first { text.contains("\"event\":\"\($0)\"") } ?? text
        }
    }

    /// Latest record of counted refusals, after their window; nil when there is none.
    package func countedRefusals() async throws -> String? {
        clock.advance(by: RefusalCounter.window)
        await services.maintain()
        return try await auditTexts().last { $0.contains("REFUSALS_COUNTED") }
    }

    /// Audit records so far as JSON, in order.
    package func auditTexts() async throws -> [String] {
        let records = try await storage.audit.records(of: "main", after: 0, limit: 1000)
        let opened = try await storage.audit.opened(records.map { try AuditEntry($0) })
        return opened.map { JSONWriter.text(.object($0.event)) }
    }
}
