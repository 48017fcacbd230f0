import BackendAPI
package import OpenID
package import ServerCore
import UAFService

extension SignInPages {
    /// Age of a confirmation up to which it is good for the removal of a device.
    static let freshness: Duration = .seconds(120)
    private static let nameLimit = 64

    /// Throws ``ServerError/unauthorized`` for a session that does not hold any more.
    ///
    /// The page has status 404 for a device that is not the user's, 400 for a name that cannot be used, and 403 for a
    /// removal that was not freshly confirmed by another device (by itself, for the last one).
    package func changeDevices(
        _ change: PageDeviceChange, of session: BrowserSession, client: ClientContext, reader: PageReader
    ) async throws(ServerError) -> PageAnswer {
        guard let user = try await users.user(session.userID) else { throw .unauthorized }
        let refusal: ServerError?
        let done: PageText
        switch change {
        case .rename(let device, let name):
            refusal = try await rename(device, to: name, user, session, client)
            done = .renamed
        case .remove(let device):
            refusal = try await remove(device, user, session, client)
            done = .removed
        case .makeCodes: return try await makeCodes(user, session, reader: reader)
        case .endRecovery: return try await endRecovery(user, session, reader: reader)
        case .passkey(let change): return try await changePasskeys(change, user, session, reader: reader)
        }
        let (notice, status) = try Self.outcome(refusal, done: done)
        return try await devicesPage(
            of: user, confirmedBy: session.evidence.registrations, notice: notice, status: status, reader: reader)
    }

    private static func outcome(
        _ refusal: ServerError?, done: PageText
    ) throws(ServerError) -> (notice: PageText, status: Int) {
        switch refusal {
        case nil: (done, 200)
        case .targetUnknown: (.deviceUnknown, 404)
        case .targetNameInUse, .invalidName: (.nameRefused, 400)
        case .forbidden: (.confirmRemoval, 403)
        case .some(let other): throw other
        }
    }

    // MARK: - Steps

    private func rename(
        _ device: TargetExternalID, to name: String, _ user: User, _ session: BrowserSession, _ client: ClientContext
    ) async throws(ServerError) -> ServerError? {
        guard let target = try await target(device, of: user) else { return .targetUnknown }
        guard let name = Self.name(name) else { return .invalidName }
        var change = TargetChange()
        change.name = name
        let wanted = change
        let grant = grant(user, session)
        let event = event(.targetModified, target, user, client)
        return try await transactions.transaction { transaction throws(ServerTransactionFailure) -> ServerError? in
            try ChangeTarget(in: transaction).change(target, wanted, by: grant, event: event)
        }
    }

    private func remove(
        _ device: TargetExternalID, _ user: User, _ session: BrowserSession, _ client: ClientContext
    ) async throws(ServerError) -> ServerError? {
        guard let target = try await target(device, of: user) else { return .targetUnknown }
        guard ports.wall.now() - session.authenticatedAt <= Self.freshness else { return .forbidden }
        let grant = grant(user, session)
        let event = event(.deviceDeleted, target, user, client)
        return try await transactions.transaction { transaction throws(ServerTransactionFailure) -> ServerError? in
            guard try transaction.lockUser(grant.user.id) != nil else { return .unauthorized }
            let confirming = try transaction.devices(of: grant.evidence.registrations)
            let isLast = try transaction.targetCount(of: grant.user.id) == 1
            let isByItself = confirming.known.contains(target)
            guard confirming.isComplete, isByItself == isLast else { return .forbidden }
            return try ChangeTarget(in: transaction).removeDevice(target, by: grant, event: event)
        }
    }

    /// Name of something that belongs to the user, of 1 to 64 characters; nil for one that cannot be used.
    static func name(_ text: String) -> DeviceName? {
        guard text.count <= nameLimit, text.contains(where: { !$0.isWhitespace }) else { return nil }
        return DeviceName(text)
    }

    private func target(_ id: TargetExternalID, of user: User) async throws(ServerError) -> DispatchTargetID? {
        try await targets.targets(of: user.id).first { $0.externalID == id }?.id
    }

    func grant(_ user: User, _ session: BrowserSession) -> RequestAuthorization.Login {
        RequestAuthorization.Login(user: user, methods: [.fidoUAF], evidence: session.evidence)
    }

    private func event(
        _ kind: AuditEvent.Kind, _ target: DispatchTargetID, _ user: User, _ client: ClientContext
    ) -> AuditEvent {
        var event = AuditEvent(kind, at: ports.clock.now(), client: client).about(user)
        event.targetID = target
        return event
    }
}
