package import BackendAPI
package import ServerCore
package import UAF

/// Exchanges the tokens of operations that began on another screen for requests.
package struct RedemptionService: Sendable {
    let responseLifetime: Duration
    let transactions: any ServerTransactionRunner
    let operations: any OperationRepository
    let statusNotifier: StatusNotifier
    let clock: any WallClock
    let log: ServiceLog
    let registration: RegistrationRequestService
    let authentication: AuthenticationRequestService
    let deregistration: DeregistrationService

    /// Exchanges a token for the UAF request that it stands for.
    ///
    /// It is given out once, in time, and for a user who is not locked; a deregistration has taken effect when this
    /// returns. The holder of a good token is asked for nothing else: what others at the same address have done keeps no
    /// phone waiting. Throws ``ServerError/storageUnavailable``, when the token is still good.
    package func redeem(
        _ request: RedeemRequest, for operation: OperationKind, client: ClientContext
    ) async throws(ServerError) -> ReturnUAFRequest {
        do throws(ServerError) {
            let token = RedeemableToken.hash(ofText: request.token)
            let found = try await operations.view(token: token)
            guard let found else { throw .refused(RedeemRefusal.unknown.statusCode) }
            guard found.operation.operation == operation else {
                throw .refused(RedeemRefusal.otherOperation.statusCode)
            }
            return try await exchange(token, found, client)
        } catch {
            return ReturnUAFRequest(statusCode: try log.finalStatusCode(of: error, in: "redeem"))
        }
    }

    private func exchange(
        _ token: RedeemTokenHash, _ found: OperationView, _ client: ClientContext
    ) async throws(ServerError) -> ReturnUAFRequest {
        let operation = found.operation
        let now = clock.now()
        var event = AuditEvent(.tokenRedeemed, at: now, userID: operation.userID, client: client)
        if let user = found.holder?.user { event = event.about(user) }
        event.ceremonyID = operation.id
        // A token that is worth nothing any more makes no request, and the refusal is the transaction's.
        let isOut = operation.machine(at: now, for: token).progress.status == .tokenCreated
        let issued = isOut ? try await issue(found, client, event) : (message: nil, removal: [])
        let (expiry, record, log) = (now + responseLifetime, event, log)
        let refusal = try await transactions.transaction { transaction throws(ServerTransactionFailure) in
            // The holder of a token may send it as often as they like: the first refusals tell that two phones have it.
            try RedeemToken(in: transaction, event: record) {
                log.countUnsigned(
                    "token that was used, has expired or has ended", from: client, ceremony: record.ceremonyID)
            }
            .redeem(token, answerExpiresAt: expiry, removal: issued.removal)
        }
        statusNotifier.moved(operation.id)
        if let refusal { throw .refused(refusal.statusCode) }
        if !operation.isNamed { log.countCode("taken by a phone", from: client) }
        guard let message = issued.message else { throw .refused(.requestInvalid) }
        return message
    }

    /// The request; an operation for which none can be made has failed.
    private func issue(
        _ found: OperationView, _ client: ClientContext, _ event: AuditEvent
    ) async throws(ServerError) -> (message: ReturnUAFRequest?, removal: [CredentialID]) {
        let (operation, holder) = (found.operation, found.holder)
        do throws(ServerError) {
            switch operation.operation {
            case .registration:
                return (try await registration.issueRequest(for: operation, of: holder?.user, client: client), [])
            case .authentication:
                return (try await authentication.issueRequest(for: operation, of: holder, client: client), [])
            case .deregistration:
                let (message, removal) = try await deregistration.issueRequest(for: operation, of: holder?.user)
                return (message, removal)
            }
        } catch {
            guard case .refused(let status) = error else { throw error }
            var failed = event
            failed.kind = .redeemRefused
            failed.statusCode = status
            try await transactions.cancelOperation(operation.id, .refused, event: failed)
            statusNotifier.moved(operation.id)
            throw error
        }
    }
}
