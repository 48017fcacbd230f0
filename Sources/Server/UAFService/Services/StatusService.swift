package import BackendAPI
package import ServerCore
import UAF

/// Status of operations, for their initiators.
package struct StatusService: Sendable {
    let settings: OutOfBandSettings
    let transactions: any ServerTransactionRunner
    let operations: any OperationRepository
    let polling: StatusPolling
    let clock: any WallClock
    let tokens: TokenService
    let accessKeys: AccessKeys
    let receipts: ReceiptService

    /// The status, at once or when it is another than the caller knows.
    ///
    /// A session that was never begun, that ended long ago, or that belongs to another caller is `unknown`. Throws
    /// ``ServerError/unauthorized``, unless the configuration opens the service, and
    /// ``ServerError/storageUnavailable``.
    package func status(
        _ request: StatusRequest, authorization: InitiatorAuthorization
    ) async throws(ServerError) -> SessionStatus {
        guard let id = CeremonyID(text: request.sessionID) else {
            try require(authorization)
            return unknown
        }
        let wait = min(.milliseconds(request.wait ?? 0), settings.statusWait)
        guard wait > .zero, let known = request.knownStatus else { return try await status(of: id, for: authorization) }
        return try await status(of: id, for: authorization, atMost: wait) { $0 == known }
    }

    /// The status for an administrator.
    package func status(of id: CeremonyID) async throws(ServerError) -> SessionStatus {
        try await status(of: id, for: .administrator)
    }

    /// The status when it is none that the caller waits through, see ``StatusPolling``.
    private func status(
        of id: CeremonyID, for caller: InitiatorAuthorization, atMost wait: Duration,
        through isPassing: (SessionStatus.Status) -> Bool
    ) async throws(ServerError) -> SessionStatus {
        try await polling.status(of: id, atMost: wait) {
            !$0.status.isFinal && isPassing($0.status)
        } look: {
            () async throws(ServerError) in
            try await status(of: id, for: caller)
        }
    }

    private func require(_ authorization: InitiatorAuthorization) throws(ServerError) {
        switch authorization {
        case .absent: if settings.statusProtection == .required { throw .unauthorized }
        case .invalid: throw .unauthorized
        case .accessKey(let name): if accessKeys.wasRemoved(name) { throw .unauthorized }
        case .client, .page, .user, .recovery, .administrator: return
        }
    }

    private var unknown: SessionStatus {
        SessionStatus(.unknown, sinceMilliseconds: clock.now().milliseconds)
    }

    private func status(
        of id: CeremonyID, for caller: InitiatorAuthorization
    ) async throws(ServerError) -> SessionStatus {
        // Each look judges anew: the access key may have been removed while its request waits.
        try require(caller)
        guard let view = try await operations.view(of: id) else {
            let answered = try await transactions.read { snapshot throws(ServerTransactionFailure) in
                try StatusQuery(snapshot: snapshot).answered(id)
            }
            guard let answered else { return unknown }
            return try shown(answered, id, to: caller)
        }
        let shown = try self.shown(StatusQuery.status(of: view), to: caller)
        guard let receipt = view.receipt, shown.result != nil, caller.mayHaveReceipt(of: view.operation) else {
            return shown
        }
        return shown.carrying(receipt: try await receipts.receipt(receipt, for: view.operation.initiator))
    }

    private func shown(
        _ status: OperationStatus, to caller: InitiatorAuthorization
    ) throws(ServerError) -> SessionStatus {
        guard caller.mayFollow(status.operation) else { return unknown }
        let now = clock.now()
        let progress = status.operation.machine(at: now).progress
        if progress.status.isFinal, now >= progress.changedAt + settings.retention { return unknown }
        let result = CeremonyResult(status, progress, text: status.operation.text)
        return status.shown(progress, result: try signed(result, for: caller))
    }

    /// The status of an in-band ceremony: unknown until it is answered, so that requests, which any client may make,
    /// need no storage.
    private func shown(
        _ answered: AnsweredCeremony, _ id: CeremonyID, to caller: InitiatorAuthorization
    ) throws(ServerError) -> SessionStatus {
        guard caller.mayFollow(answered) else { return unknown }
        let progress = answered.progress
        guard clock.now() < progress.changedAt + settings.retention else {
            return unknown
        }
        // The name of a user who failed does not show: the request may have named a user who does not exist.
        let isGranted = progress.status == .succeeded && answered.holds
        return progress.shown(
            userID: isGranted ? answered.user?.externalID.text : nil, holds: answered.holds,
            result: try signed(CeremonyResult(answered, id), for: caller))
    }

    private func signed(
        _ result: CeremonyResult?, for caller: InitiatorAuthorization
    ) throws(ServerError) -> String? {
        guard let result else { return nil }
        if case .accessKey(let name) = caller { return try tokens.sign(result, for: name.text) }
        return try tokens.sign(result, for: CeremonyResult.commonAudience)
    }
}

extension InitiatorAuthorization {
    /// Whether the caller may learn how far an operation is.
    ///
    /// A system sees its own operations and the operations of unknown initiators, a user the operations about them.
    fileprivate func mayFollow(_ operation: OutOfBandCeremony) -> Bool {
        switch self {
        case .invalid, .recovery: false
        case .absent, .administrator: true
        case .accessKey(let name): operation.initiator == .accessKey(name) || operation.initiator == .anonymous
        case .client(let id), .page(let id): operation.initiator == .client(id)
        case .user(let grant): operation.userID == grant.user.id || operation.initiator == .user(grant.user.id)
        }
    }

    /// Whether the caller gets the receipt of an operation: who began it, and the administrator.
    fileprivate func mayHaveReceipt(of operation: OutOfBandCeremony) -> Bool {
        switch self {
        case .invalid, .recovery: false
        case .administrator: true
        case .absent: operation.initiator == .anonymous
        case .accessKey(let name): operation.initiator == .accessKey(name)
        case .client(let id), .page(let id): operation.initiator == .client(id)
        case .user(let grant): operation.initiator == .user(grant.user.id)
        }
    }

    /// Whether the caller may learn how an in-band ceremony ended, which no system has begun.
    fileprivate func mayFollow(_ answered: AnsweredCeremony) -> Bool {
        guard case .user(let grant) = self else { return true }
        return answered.user?.id == grant.user.id
    }
}

extension CeremonyProgress {
    /// Grant, or the reason why there is none; a success that does not hold any more is a failure.
    fileprivate func shown(
        userID: String?, holds: Bool, tokenInformation: SessionStatus.TokenInformation? = nil, result: String?
    ) -> SessionStatus {
        let isGranted = status == .succeeded && holds
        let isRevoked = status == .succeeded && !holds
        let credentials = isGranted ? answer?.credentials ?? [] : []
        return SessionStatus(
            SessionStatus.Status(rawValue: (isRevoked ? .failed : status).rawValue),
            sinceMilliseconds: changedAt.milliseconds,
            outcome: SessionStatus.Outcome(
                userID: userID, uafStatus: isRevoked ? .forbidden : answer?.statusCode, asmStatus: answer?.asmStatus,
                clientErrorCode: answer?.clientErrorCode, isReported: answer?.isReported ?? false,
                authenticators: credentials.map {
                    SessionStatus.UsedAuthenticator(credential: $0.id, externalID: $0.registrationID.text)
                }),
            tokenInformation: tokenInformation, result: isGranted ? result : nil)
    }
}

extension OperationStatus {
    /// The status as a value of the interface.
    ///
    /// A success whose user was locked, or whose credential or device was removed since, is shown as a failure: no
    /// system shall open a session on the strength of it.
    fileprivate func shown(_ progress: CeremonyProgress, result: String?) -> SessionStatus {
        let isGranted = progress.status == .succeeded && holds
        // The name of a user who answers a request to anyone shows only with success.
        let name = isGranted || operation.userID != nil && progress.status != .succeeded ? user?.externalID.text : nil
        return progress.shown(
            userID: name, holds: holds,
            tokenInformation: SessionStatus.TokenInformation(
                dispatchTargetExternalID: targetExternalID?.text,
                result: progress.tokenResult.flatMap { SessionStatus.TokenResult(rawValue: $0.rawValue) },
                dispatcherInformation: dispatcherInformation),
            result: result)
    }

    private var dispatcherInformation: DispatcherInformation? {
        guard let dispatch = operation.dispatch, let response = dispatch.response else { return nil }
        return DispatcherInformation(name: dispatch.dispatcher, response: response)
    }
}
