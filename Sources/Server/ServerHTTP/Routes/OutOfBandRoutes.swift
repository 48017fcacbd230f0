import BackendAPI
import HTTPTypes
import Hummingbird
import ServerCore
import UAF
import UAFService

/// Routes of tokens, their dispatch and redemption, and the status of ceremonies.
struct OutOfBandRoutes {
    let shared: RouteServices

    func add(to routes: RouteBuilder) {
        for operation in OperationKind.allCases {
            addTokens(operation, to: routes)
            addRedemption(operation, to: routes)
        }
        let shared = shared
        routes.add(.status) { exchange in
            let request = try StatusRequest(body: exchange.body)
            let authorization = try await shared.authenticator.initiator(of: exchange, scope: .status)
            let status = try await shared.services.status.status(request, authorization: authorization)
            if case .absent = authorization, status.status == .unknown { exchange.context.requestLog.isMiss = true }
            return exchange.answer(status)
        }
    }

    private func addTokens(_ operation: OperationKind, to routes: RouteBuilder) {
        let shared = shared
        routes.add(.createToken(operation)) { exchange in
            let request = try GetUAFRequest(body: exchange.body)
            let authorization = try await shared.authenticator.initiator(of: exchange, scope: .dispatch(operation))
            return exchange.answer(
                try await Self.naming([], request, operation) {
                    try await shared.services.outOfBand.createToken(
                        request, for: operation, authorization: authorization, client: shared.client(of: exchange))
                })
        }
        routes.add(.dispatchToken(operation)) { exchange in
            let request = try DispatchRequest(body: exchange.body)
            let authorization = try await shared.authenticator.initiator(of: exchange, scope: .dispatch(operation))
            let answer = try await Self.naming(["getUafRequest"], request.request, operation) {
                try await shared.services.outOfBand.dispatch(
                    request, for: operation, authorization: authorization, client: shared.client(of: exchange))
            }
            shared.operations.count(answer)
            return exchange.answer(answer)
        }
    }

    /// Names the member that is wrong when `body` finds the request malformed; `path` leads to the request.
    private static func naming<Value>(
        _ path: [String], _ request: GetUAFRequest, _ operation: OperationKind, _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch ServerError.malformedRequest {
            guard request.operation == operation else { throw RequestRefusal.malformed(member: path + ["op"]) }
            do throws(BackendAPIError) {
                switch operation {
                case .registration: _ = try request.context(as: RegistrationContext.self)
                case .authentication: _ = try request.context(as: AuthenticationContext.self)
                case .deregistration:
                    let asked = try request.context(as: DeregistrationContext.self)
                    if asked.username == nil { throw .unreadableContext(path: ["username"]) }
                }
            } catch .unreadableContext(let member) {
                throw RequestRefusal.malformed(member: path + ["context"] + member)
            }
            throw RequestRefusal.malformed(member: path + ["context"])
        }
    }

    private func addRedemption(_ operation: OperationKind, to routes: RouteBuilder) {
        let shared = shared
        routes.add(.redeemToken(operation)) { exchange in
            let request = try RedeemRequest(body: exchange.body)
            let answer = try await shared.services.redemption.redeem(
                request, for: operation, client: shared.client(of: exchange))
            if answer.statusCode != .ok { try shared.countFailedRedemption(exchange) }
            return exchange.answer(request: answer)
        }
    }
}
