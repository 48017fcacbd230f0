package import BackendAPI
import UAF

/// Tells initiators how far their operations are (`backend-http-api` 3).
package struct StatusService: Sendable {
    /// How often the database is asked while somebody waits: another process may have moved the operation.
    private static let pollInterval: Duration = .seconds(1)

    private let context: CeremonyContext

    init(_ context: CeremonyContext) {
        self.context = context
    }

    /// The status, at once or when it is another than the caller knows.
    ///
    /// A session that nobody has begun, or that ended long ago, is `unknown`. Throws ``ServerError/unauthorized``, where
    /// the configuration asks for authorization, and ``ServerError/storageUnavailable``.
    package func status(
        _ request: StatusRequest, authorization: InitiatorAuthorization
    ) async throws(ServerError) -> SessionStatus {
        try require(authorization)
        guard let id = CeremonyID(text: request.sessionID) else { return unknown }
        let wait = min(.milliseconds(request.wait ?? 0), context.settings.outOfBand.statusWait)
        guard wait > .zero, let known = request.knownStatus else { return try await status(of: id) }
        return try await status(of: id, atMost: wait) { $0 == known }
    }

    /// The status for an administrator, who may name the operation by its token, too: at once, or when it has ended, at
    /// the latest after `wait`.
    package func status(
        ofSessionOrToken text: String, untilEndedFor wait: Duration = .zero
    ) async throws(ServerError) -> SessionStatus {
        let hash = RedeemToken.hash(ofText: text)
        guard let id = try await context.storage.operations.operation(token: hash)?.id ?? CeremonyID(text: text) else {
            return unknown
        }
        return try await status(of: id, atMost: wait) { _ in true }
    }

    /// The first status that the caller does not wait through, that is final, or that stands when the time is over.
    private func status(
        of id: CeremonyID, atMost wait: Duration, through isPassing: (SessionStatus.Status) -> Bool
    ) async throws(ServerError) -> SessionStatus {
        let deadline = context.ports.clock.now() + wait
        while true {
            // Listening begins before the look at the database, so that no move is missed between the two.
            let listener = context.board.listener(for: id)
            let status = try await self.status(of: id)
            let left = deadline - context.ports.clock.now()
            guard isPassing(status.status), !status.status.isFinal, left > .zero, !Task.isCancelled else {
                return status
            }
            await context.ports.pause.wait(for: listener.moves, atMost: min(left, Self.pollInterval))
        }
    }

    private func require(_ authorization: InitiatorAuthorization) throws(ServerError) {
        switch authorization {
        case .absent: if context.settings.outOfBand.statusProtection == .required { throw .unauthorized }
        case .invalid: throw .unauthorized
        case .accessKey, .user, .administrator: return
        }
    }

    private var unknown: SessionStatus {
        SessionStatus(.unknown, sinceMilliseconds: context.ports.clock.now().milliseconds)
    }

    private func status(of id: CeremonyID) async throws(ServerError) -> SessionStatus {
        guard let standing = try await context.storage.operations.standing(of: id) else {
            return try await inAppStatus(of: id)
        }
        let now = context.ports.clock.now()
        let progress = standing.operation.machine(at: now).progress
        if progress.status.isFinal, now >= progress.changedAt + context.settings.outOfBand.retention { return unknown }
        return standing.shown(progress)
    }

    /// The status of a ceremony in the application: unknown until it is answered, so that nothing has to be stored of
    /// requests, which anybody may make.
    private func inAppStatus(of id: CeremonyID) async throws(ServerError) -> SessionStatus {
        guard let answered = try await context.storage.operations.answered(id) else { return unknown }
        let progress = answered.progress
        guard context.ports.clock.now() < progress.changedAt + context.settings.outOfBand.retention else {
            return unknown
        }
        // Who failed does not show: the request may have named a user who does not exist (assurance SRV-10).
        let isGranted = progress.status == .succeeded && answered.holds
        return progress.shown(userID: isGranted ? answered.user?.externalID.text : nil, holds: answered.holds)
    }
}

extension CeremonyProgress {
    /// What was granted, or why nothing is; a success that does not hold any more is a failure.
    fileprivate func shown(
        userID: String?, holds: Bool, tokenInformation: SessionStatus.TokenInformation? = nil
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
            tokenInformation: tokenInformation)
    }
}

extension OperationStanding {
    /// The status in the words of the interface.
    ///
    /// A success whose user was locked, or whose credential or device was removed since, is shown as a failure: nobody
    /// shall open a session on the strength of it.
    fileprivate func shown(_ progress: CeremonyProgress) -> SessionStatus {
        let isGranted = progress.status == .succeeded && holds
        // Who answers a request to anyone shows only with success.
        let name = isGranted || operation.userID != nil && progress.status != .succeeded ? user?.externalID.text : nil
        return progress.shown(
            userID: name, holds: holds,
            tokenInformation: SessionStatus.TokenInformation(
                dispatchTargetExternalID: targetExternalID?.text,
                result: progress.tokenResult.flatMap { SessionStatus.TokenResult(rawValue: $0.rawValue) },
                dispatcherInformation: dispatcherInformation))
    }

    private var dispatcherInformation: DispatcherInformation? {
        guard let dispatch = operation.dispatch, let response = dispatch.response else { return nil }
        return DispatcherInformation(name: dispatch.dispatcher, response: response)
    }
}
