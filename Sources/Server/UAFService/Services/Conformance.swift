package import BackendAPI
import Octets
import RelyingParty
package import ServerCore
import StrictJSON
import UAF

/// The adapter that the FIDO conformance tool speaks to; never switched on where real users are.
package struct ConformanceService: Sendable {
    /// Services that make requests.
    struct Requests: Sendable {
        let registration: RegistrationRequestService
        let authentication: AuthenticationRequestService
        let deregistration: DeregistrationService
    }

    /// Services that judge answers.
    struct Responses: Sendable {
        let registration: RegistrationResponseService
        let authentication: AuthenticationResponseService
    }

    let acceptance: AcceptanceService
    let requests: Requests
    let responses: Responses
    let users: UserService
    let names: any UserRepository
    let log: ServiceLog

    /// `POST /get`: answers a request for any operation, without authorization; unknown users are added.
    ///
    /// Throws ``ServerError/storageUnavailable``.
    package func get(
        _ request: GetUAFRequest, client: ClientContext
    ) async throws(ServerError) -> ReturnUAFRequest {
        do throws(ServerError) {
            let (name, requestContext) = try ConformanceContext.named(text: request.contextText)
            switch request.operation {
            case .registration: return try await register(name, client)
            case .authentication: return try await authenticate(name, requestContext, client)
            case .deregistration: return try await deregister(name, requestContext, client)
            case nil: throw .refused(.badRequest)
            }
        } catch {
            return ReturnUAFRequest(statusCode: try log.finalStatusCode(of: error, in: "conformance request"))
        }
    }

    /// `POST /respond`: judges an answer to a registration or authentication.
    ///
    /// Throws ``ServerError/clockSkewTooBig`` and ``ServerError/storageUnavailable``, which are HTTP statuses.
    package func respond(
        _ response: SendUAFResponse, client: ClientContext
    ) async throws(ServerError) -> AcceptedAnswer {
        switch Self.operation(of: response.uafResponse) {
        case .registration: try await responses.registration.acceptResponse(response, client: client)
        case .authentication: try await responses.authentication.acceptResponse(response, client: client)
        case .deregistration, nil: AcceptedAnswer(ServerResponse(statusCode: .unacceptableContent))
        }
    }

    private func register(
        _ name: UserName, _ client: ClientContext
    ) async throws(ServerError) -> ReturnUAFRequest {
        let acceptance = acceptance.current
        guard let policy = acceptance.policy(named: nil) else { throw .refused(.badRequest) }
        return try await requests.registration.issue(
            for: try await knownUser(name), named: name, policy: policy,
            composer: acceptance.composer, client: client)
    }

    private func authenticate(
        _ name: UserName, _ requestContext: ConformanceContext, _ client: ClientContext
    ) async throws(ServerError) -> ReturnUAFRequest {
        let transactions = requestContext.transaction.map {
            [Transaction(contentType: .plainText, content: Array($0.utf8))]
        }
        let request = GetUAFRequest(
            AuthenticationContext(username: name, transactions: transactions ?? []))
        return try await requests.authentication.issueRequest(
            request, entry: .service, authorization: .absent, client: client
        ).message
    }

    private func deregister(
        _ name: UserName, _ requestContext: ConformanceContext, _ client: ClientContext
    ) async throws(ServerError) -> ReturnUAFRequest {
        let scope: DeregistrationPlan.Scope = requestContext.deregisterAAID.map { .models([$0]) } ?? .everything
        let widens = requestContext.deregisterAll || requestContext.deregisterAAID != nil
        return try await requests.deregistration.remove(
            scope, of: try await knownUser(name), by: nil, spelling: widens ? .widest : .pairs, client: client
        )
    }

    private func knownUser(_ name: UserName) async throws(ServerError) -> User {
        if let user = try await names.user(named: name) { return user }
        do throws(ServerError) {
            return try await users.add(name: name.text, mayBeAlike: true)
        } catch {
            // Another request has added the same user in the meantime.
            guard error == .userExists, let user = try await names.user(named: name) else {
                throw error
            }
            return user
        }
    }

    /// The operation that the header of an answer names; the services read the answer themselves.
    private static func operation(of message: String) -> OperationKind? {
        guard case .array(let elements) = try? JSONParser.parse(message), case .object(let response) = elements.first,
            case .object(let header) = response["header"], case .string(let operation) = header["op"]
        else { return nil }
        return OperationKind.allCases.first { $0.rawValue.hasSameOctets(as: operation) }
    }
}

extension ConformanceContext {
    /// Context of a request with the name of its user; throws status 1400.
    fileprivate static func named(text: String?) throws(ServerError) -> (name: UserName, requestContext: Self) {
        do throws(BackendAPIError) {
            guard let text else { throw .unreadableContext(path: []) }
            let requestContext = try Self(text: text)
            guard let name = requestContext.username else { throw .unreadableContext(path: ["username"]) }
            return (name, requestContext)
        } catch {
            throw .refused(.badRequest)
        }
    }
}
