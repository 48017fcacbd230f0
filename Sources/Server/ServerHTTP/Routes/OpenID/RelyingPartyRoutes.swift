import BackendAPI
import HTTPTypes
import Hummingbird
import Octets
import OpenID
import ServerCore
import UAF

/// Routes of the relying-party API; none of its paths exists unless it is configured.
struct RelyingPartyRoutes {
    let shared: RouteServices
    let sites: ConfiguredServices

    /// Caller of a service that creates something: a system with an access key, or an application with a token of one.
    private struct Caller {
        let key: AccessKeyName
        var intent: IntentToken?
    }

    func add(to routes: RouteBuilder) {
        guard let service = sites.relyingParty else { return }
        addIntents(service, to: routes)
        addCreation(service, to: routes)
        addStates(service, to: routes)
        addUsers(service, to: routes)
        addAuthenticators(service, to: routes)
    }

    // MARK: - Transactions

    private func addCreation(_ service: any RelyingPartyService, to routes: RouteBuilder) {
        let shared = shared
        routes.add(.enrollUser) { exchange in
            let caller = try await Self.caller(of: exchange, .enroll, service, shared)
            return try await Self.once(exchange, caller, service) { () async throws(RelyingPartyRefusal) in
                try await service.enroll(
                    try EnrollRequest(body: exchange.body, intent: caller.intent), for: caller.key,
                    client: shared.client(of: exchange))
            }
        }
        if service.hasRecovery {
            routes.add(.recoverUser) { exchange in
                let key = try await shared.authenticator.accessKey(of: exchange, scope: .recover)
                return try await Self.once(exchange, Caller(key: key), service) {
                    () async throws(RelyingPartyRefusal) in
                    try await service.recover(
                        try RelyingPartySubject(body: exchange.body), for: key, client: shared.client(of: exchange))
                }
            }
        }
        routes.add(.approval) { exchange in
            let caller = try await Self.caller(of: exchange, .approve, service, shared)
            return try await Self.once(exchange, caller, service) { () async throws(RelyingPartyRefusal) in
                try await service.approve(
                    try ApprovalRequest(body: exchange.body, intent: caller.intent), for: caller.key,
                    client: shared.client(of: exchange))
            }
        }
    }

    private func addIntents(_ service: any RelyingPartyService, to routes: RouteBuilder) {
        let shared = shared
        routes.add(.ping) { exchange in
            _ = try shared.authenticator.accessKey(of: exchange) { _ in true }
            return exchange.answer(bytes: Array("PONG".utf8), headers: [.cacheControl: "no-store"])
        }
        routes.add(.intent) { exchange in
            let asked = Result { () throws(RelyingPartyRefusal) in try IntentRequest(body: exchange.body) }
            // What is asked for says which scope is needed; a sender without a key learns nothing of its body.
            let scope = (try? asked.get())?.operation.scope
            let key = try shared.authenticator.accessKey(of: exchange) { rights in
                scope.map { rights.scopes.contains($0) } ?? true
            }
            return try await Self.answered(exchange) { () async throws(RelyingPartyRefusal) in
                try service.intend(try asked.get(), for: key)
            }
        }
    }

    /// The caller of an operation, with the rights that its access key has now.
    private static func caller(
        of exchange: Exchange, _ operation: IntentToken.Operation, _ service: any RelyingPartyService,
        _ shared: RouteServices
    ) async throws -> Caller {
        let token = shared.authenticator.credentials(of: exchange).bearerToken
        guard let intent = token.flatMap({ service.intent($0.reveal()) }) else {
            return Caller(key: try await shared.authenticator.accessKey(of: exchange, scope: operation.scope))
        }
        guard intent.request.operation == operation else { throw RequestRefusal.unauthorized }
        try shared.authenticator.require(operation.scope, of: intent.key)
        return Caller(key: intent.key, intent: intent)
    }

    private func addStates(_ service: any RelyingPartyService, to routes: RouteBuilder) {
        let (shared, longest) = (shared, sites.longestWait)
        routes.add(.transactionStatus) { exchange in
            try await Self.answered(exchange) { () async throws(RelyingPartyRefusal) in
                let asked = try TransactionStatusRequest(body: exchange.body)
                return try await service.status(asked.statusToken, atMost: min(asked.wait, longest))
            }
        }
        routes.add(.introspectTransaction) { exchange in
            let key = try await shared.authenticator.accessKey(of: exchange, scope: .introspect)
            guard let token = exchange.form?["token"] else { throw RequestRefusal.malformed(member: ["token"]) }
            return try await Self.answered(exchange) { () async throws(RelyingPartyRefusal) in
                try await service.introspect(token, for: key)
            }
        }
    }

    // MARK: - Users and authenticators

    private func addUsers(_ service: any RelyingPartyService, to routes: RouteBuilder) {
        let shared = shared
        routes.add(.findUser) { exchange in
            let key = try await shared.authenticator.accessKey(of: exchange, scope: .readUsers)
            guard let name = exchange.query()?["username"].flatMap({ UserName($0) }) else {
                throw RequestRefusal.malformed(member: ["username"])
            }
            return try await Self.answered(exchange) { () async throws(RelyingPartyRefusal) in
                try await service.user(.name(name), for: key)
            }
        }
        routes.add(.user) { exchange in
            let key = try await shared.authenticator.accessKey(of: exchange, scope: .readUsers)
            let id = try Self.userID(exchange)
            return try await Self.answered(exchange) { () async throws(RelyingPartyRefusal) in
                try await service.user(.id(id), for: key)
            }
        }
        routes.add(.changeUser) { exchange in
            let key = try await shared.authenticator.accessKey(of: exchange, scope: .writeUsers)
            let id = try Self.userID(exchange)
            return try await Self.done(exchange) { () async throws(RelyingPartyRefusal) in
                let change = try UserChange(body: exchange.body)
                try await service.change(id, change, for: key, client: shared.client(of: exchange))
            }
        }
        routes.add(.removeUser) { exchange in
            let key = try await shared.authenticator.accessKey(of: exchange, scope: .writeUsers)
            let id = try Self.userID(exchange)
            return try await Self.done(exchange) { () async throws(RelyingPartyRefusal) in
                try await service.removeUser(id, for: key, client: shared.client(of: exchange))
            }
        }
    }

    private func addAuthenticators(_ service: any RelyingPartyService, to routes: RouteBuilder) {
        let shared = shared
        routes.add(.renameAuthenticator) { exchange in
            let key = try await shared.authenticator.accessKey(of: exchange, scope: .writeAuthenticators)
            let id = try Self.authenticator(exchange)
            return try await Self.answered(exchange) { () async throws(RelyingPartyRefusal) in
                let change = try AuthenticatorChange(body: exchange.body)
                return try await service.rename(id, to: change.name, for: key, client: shared.client(of: exchange))
            }
        }
        routes.add(.removeAuthenticator) { exchange in
            let key = try await shared.authenticator.accessKey(of: exchange, scope: .writeAuthenticators)
            let id = try Self.authenticator(exchange)
            return try await Self.done(exchange) { () async throws(RelyingPartyRefusal) in
                try await service.removeAuthenticator(id, for: key, client: shared.client(of: exchange))
            }
        }
    }

    private static func userID(_ exchange: Exchange) throws(RequestRefusal) -> UserName {
        guard let id = UserName(try exchange.named()) else { throw .malformed(member: ["userId"]) }
        return id
    }

    private static func authenticator(_ exchange: Exchange) throws(RequestRefusal) -> TargetExternalID {
        guard let id = TargetExternalID(text: try exchange.named()) else { throw .targetNotFound }
        return id
    }

    // MARK: - Answers

    /// The answer to a request that creates something: once for each idempotency key or intent token, and without either as
    /// often as the request comes.
    private static func once(
        _ exchange: Exchange, _ caller: Caller, _ service: any RelyingPartyService,
        _ answer: @Sendable () async throws(RelyingPartyRefusal) -> RelyingPartyAnswer
    ) async throws -> Response {
        let field = HTTPField.Name("Idempotency-Key").flatMap { exchange.request.headers[$0] }
        var call = caller.intent.map { IdempotentCall($0) }
        if call == nil, let field {
            call = IdempotentCall(
                field, of: caller.key, method: exchange.endpoint.method.rawValue, path: exchange.endpoint.path,
                body: exchange.body)
            if call == nil { throw RequestRefusal.malformed(member: ["Idempotency-Key"]) }
        }
        let named = call
        return try await answered(exchange) { () async throws(RelyingPartyRefusal) in
            guard let named else { return try await answer() }
            return try await service.once(named, answer)
        }
    }

    private static func answered(
        _ exchange: Exchange, _ body: () async throws(RelyingPartyRefusal) -> RelyingPartyAnswer
    ) async throws -> Response {
        do throws(RelyingPartyRefusal) {
            let answer = try await body()
            return exchange.answer(
                bytes: answer.body, status: HTTPResponse.Status(code: answer.status),
                headers: [.cacheControl: "no-store"])
        } catch {
            throw RequestRefusal(error)
        }
    }

    private static func done(
        _ exchange: Exchange, _ body: () async throws(RelyingPartyRefusal) -> Void
    ) async throws -> Response {
        do throws(RelyingPartyRefusal) {
            try await body()
        } catch {
            throw RequestRefusal(error)
        }
        return exchange.empty
    }
}

extension RequestRefusal {
    init(_ refusal: RelyingPartyRefusal) {
        switch refusal {
        case .malformed(let path): self = .malformed(member: path)
        case .userUnknown: self = RequestRefusal(.notFound, .userNotFound, "There is no such user.")
        case .authenticatorUnknown: self = .targetNotFound
        case .noSuitableAuthenticator:
            self = RequestRefusal(
                .unprocessableContent, .noSuitableAuthenticator, "No authenticator of the user can do this.")
        case .channelNotOffered:
            self = RequestRefusal(
                .unprocessableContent, .channelNotOffered, "This server offers the channels app and push only."
            ).naming("channel")
        case .outsideIntent:
            self = RequestRefusal(.forbidden, .forbidden, "The intent token is for another user or another channel.")
        case .intentEnded: self = .unauthorized
        case .keyReused:
            self = RequestRefusal(
                .unprocessableContent, .idempotencyKeyReused, "Another request came with this idempotency key.")
        case .requestInProgress:
            self = RequestRefusal(
                .conflict, .requestInProgress, "The first request with this idempotency key is still being answered.")
        case .server(let error): self = RequestRefusal(error)
        }
    }
}
