import BackendAPI
package import Octets
package import ServerCore
import UAF
import UAFService

/// Ways back of users without a phone: begun with a code, or vouched for by a system; after a wait they remove phones and
/// invite a new one.
///
/// Nothing here signs a user in: the cookie of a recovery is read by its page only.
package struct RecoveryService: Sendable {
    private let settings: OpenIDSettings.Recovery
    private let transactions: any OpenIDTransactionRunner
    private let targets: any DispatchTargetRepository
    private let enrollments: Enrollments
    private let outOfBand: OutOfBandService
    private let throttle: RecoveryThrottle
    private let log: ServiceLog
    private let clock: any WallClock
    private let random: any RandomSource

    /// The service; nil where there are no ways back (`recovery.enabled`).
    package init?(_ server: OpenIDServer) {
        guard server.settings.recovery.isEnabled else { return nil }
        settings = server.settings.recovery
        transactions = server.transactions
        targets = server.services.storage.targets
        enrollments = Enrollments(server.services)
        outOfBand = server.services.outOfBand
        throttle = RecoveryThrottle()
        log = server.services.log
        clock = server.services.ports.clock
        random = server.services.ports.random
    }

    // MARK: - With a phone

    /// Makes new codes for the user of a login, which end all codes of before; nil for a login that does not hold.
    ///
    /// They are known here only.
    package func makeCodes(
        by grant: RequestAuthorization.Login, client: ClientContext
    ) async throws(ServerError) -> [RecoveryCode]? {
        let codes = (0..<RecoveryCode.count).map { _ in RecoveryCode(from: random) }
        let hashes = codes.map(\.hash)
        let event = AuditEvent(.recoveryCodesMade, at: clock.now(), client: client).about(grant.user)
        let isMade = try await transactions.transaction { transaction throws(ServerTransactionFailure) in
            guard try transaction.lock(grant) else { return false }
            try transaction.setRecoveryCodes(hashes, of: grant.user.id, at: event.at)
            try transaction.append(event)
            return true
        }
        return isMade ? codes : nil
    }

    /// Codes that a user has left, and the recovery of the user that holds.
    package func account(of user: UserID) async throws(ServerError) -> (codes: Int, recovery: Recovery?) {
        let now = clock.now()
        return try await transactions.read { snapshot throws(ServerTransactionFailure) in
            let recovery = try snapshot.recovery(of: user)
            let holds = try recovery.flatMap { recovery throws(ServerTransactionFailure) in
                try snapshot.user(of: recovery, at: now)
            }
            return (codes: try snapshot.recoveryCodes(of: user)?.count ?? 0, recovery: holds == nil ? nil : recovery)
        }
    }

    /// Ends the recovery of the user of a login, with the invitation that it has shown and all codes; false where there is none.
    package func end(
        by grant: RequestAuthorization.Login, client: ClientContext
    ) async throws(ServerError) -> Bool {
        let event = AuditEvent(.recoveryEnded, at: clock.now(), client: client).about(grant.user)
        let (isEnded, ceremony) = try await transactions.transaction {
            transaction throws(ServerTransactionFailure) -> (Bool, CeremonyID?) in
            guard try transaction.lock(grant), let recovery = try transaction.recovery(of: grant.user.id) else {
                return (false, nil)
            }
            _ = try transaction.removeRecovery(of: grant.user.id)
            try transaction.setRecoveryCodes([], of: grant.user.id, at: event.at)
            try Self.cancel(recovery.ceremony, event, in: transaction)
            try transaction.append(event)
            return (true, recovery.ceremony)
        }
        if let ceremony { outOfBand.moved(ceremony) }
        return isEnded
    }

    private static func cancel(
        _ ceremony: CeremonyID?, _ event: AuditEvent, in transaction: any OpenIDTransaction
    ) throws(ServerTransactionFailure) {
        guard let ceremony else { return }
        var record = event
        record.kind = .operationCancelled
        try AdvanceOperation(in: transaction).cancel(ceremony, .refused, event: record)
    }

    // MARK: - Beginning

    /// Answer to a name and a code.
    package enum Beginning: Sendable {
        /// The wait has begun, or one that was vouched for is taken up: the cookie shows it.
        case begun(cookie: Sensitive<String>, Recovery)
        /// No such user, a locked one, or no code of the user: nothing tells which.
        case wrong
        case throttled(retryAfter: Duration)
    }

    /// Begins a recovery with a code, which is used up, or takes up one that was vouched for.
    ///
    /// An attempt is counted before it is judged. What is wrong makes no difference to the statements that run.
    package func begin(
        name: String, code: String, client: ClientContext
    ) async throws(ServerError) -> Beginning {
        let (name, code) = (UserService.name(name), RecoveryCode(typed: code))
        let (cookie, standIn, now) = (random.secret(), UserID(from: random), clock.now())
        let hash = RecoveryCookieHash(of: cookie.reveal().utf8)
        let (settings, throttle) = (settings, throttle)
        let (beginning, user) = try await transactions.transaction {
            transaction throws(ServerTransactionFailure) -> (Beginning, UserID?) in
            let attempt = throttle.keys(name?.text ?? "", client.network)
            if let wait = try throttle.count(attempt, at: now, in: transaction) {
                return (.throttled(retryAfter: wait), nil)
            }
            let named = try name.flatMap { name throws(ServerTransactionFailure) in try transaction.user(named: name) }
            let id = named?.id ?? standIn
            let user = try transaction.lockUser(id)
            let entry = code?.hash ?? RecoveryCodeHash(of: [])
            let isCode = try transaction.useRecoveryCode(entry, of: id)
            let vouched = try transaction.recovery(of: id)
            guard let user, user.status == .active else { return (.wrong, user?.id) }
            let recovery: Recovery
            if isCode {
                recovery = Recovery(of: user, cookie: hash, settings, at: now)
                try transaction.append(AuditEvent(.recoveryBegun, at: now, client: client).about(user))
            } else if var taken = vouched, taken.code == entry, try transaction.user(of: taken, at: now) != nil {
                (taken.cookie, taken.code) = (hash, nil)
                recovery = taken
            } else {
                return (.wrong, user.id)
            }
            try transaction.set(recovery)
            try throttle.forget(attempt, in: transaction)
            return (.begun(cookie: cookie, recovery), user.id)
        }
        if case .wrong = beginning { log.countUnsigned("wrong recovery code", from: client, user: user) }
        return beginning
    }

    /// Begins a recovery for which a system vouches; its code takes it up, once.
    ///
    /// Throws ``ServerError/policyViolation`` for a user who is locked.
    package func vouch(
        for user: User, by key: AccessKeyName, client: ClientContext
    ) async throws(ServerError) -> (code: RecoveryCode, recovery: Recovery) {
        let (code, now, settings) = (RecoveryCode(from: random), clock.now(), settings)
        var begun = AuditEvent(.recoveryBegun, at: now, client: client).about(user)
        begun.initiator = .accessKey(key)
        let event = begun
        let recovery = try await transactions.transaction {
            transaction throws(ServerTransactionFailure) -> Recovery? in
            guard let user = try transaction.lockUser(user.id), user.status == .active else { return nil }
            var recovery = Recovery(of: user, cookie: nil, settings, at: now)
            recovery.code = code.hash
            try transaction.set(recovery)
            try transaction.append(event)
            return recovery
        }
        guard let recovery else { throw .policyViolation }
        return (code: code, recovery: recovery)
    }

    // MARK: - Page of a recovery

    /// Recovery that a browser may see, while it holds.
    package struct Shown: Sendable {
        package let recovery: Recovery
        package let isOpen: Bool
        /// Phones of the user; none before the wait is over.
        package fileprivate(set) var phones: [DispatchTarget] = []
    }

    /// The recovery of a cookie; nil when it does not hold.
    package func shown(_ cookie: Sensitive<String>) async throws(ServerError) -> Shown? {
        let (hash, now) = (RecoveryCookieHash(of: cookie.reveal().utf8), clock.now())
        let recovery = try await transactions.read { snapshot throws(ServerTransactionFailure) -> Recovery? in
            guard let recovery = try snapshot.recovery(hash), try snapshot.user(of: recovery, at: now) != nil
            else { return nil }
            return recovery
        }
        guard let recovery else { return nil }
        var shown = Shown(recovery: recovery, isOpen: recovery.isOpen(at: now))
        if shown.isOpen { shown.phones = try await targets.targets(of: recovery.userID) }
        return shown
    }

    /// Removes a phone of the user with its keys and all logins; false where the recovery is not open, or has no such phone.
    package func remove(
        _ phone: TargetExternalID, _ cookie: Sensitive<String>, client: ClientContext
    ) async throws(ServerError) -> Bool {
        let now = clock.now()
        guard let (known, _) = try await open(cookie, at: now) else { return false }
        return try await transactions.transaction { transaction throws(ServerTransactionFailure) in
            guard var (recovery, user) = try Self.open(known, at: now, in: transaction),
                let owned = try transaction.target(externalID: phone), owned.user.id == user.id
            else { return false }
            var event = AuditEvent(.deviceDeleted, at: now, client: client).about(user)
            event.initiator = .user(user.id)
            event.reason = "recovery"
            _ = try ChangeTarget(in: transaction).removeDevice(owned.target.id, event: event)
            // All logins have ended with the phone; the recovery goes on.
            user = try transaction.lockUser(user.id) ?? user
            recovery.holdsSince = max(recovery.holdsSince, user.notBefore)
            try transaction.set(recovery)
            return true
        }
    }

    /// Begins the registration of a new phone, and ends one that was begun before; nil where the recovery is not open.
    ///
    /// Throws as ``Enrollments/begin(_:policy:by:client:session:)``.
    package func invite(
        _ cookie: Sensitive<String>, client: ClientContext
    ) async throws(ServerError) -> BegunConfirmation? {
        guard let (known, user) = try await open(cookie, at: clock.now()) else { return nil }
        let begun = try await enrollments.begin(
            user, policy: nil, by: .recovery(user.id), client: client, session: "recovery \(known.begunAt.milliseconds)"
        )
        var record = AuditEvent(.recoveryInvited, at: clock.now(), client: client).about(user)
        record.ceremonyID = begun.id
        let event = record
        let isOpen = try await transactions.transaction { transaction throws(ServerTransactionFailure) in
            // It may have been ended since it was read.
            guard var (recovery, _) = try Self.open(known, at: event.at, in: transaction) else {
                try Self.cancel(begun.id, event, in: transaction)
                return false
            }
            recovery.ceremony = begun.id
            try transaction.set(recovery)
            try transaction.append(event)
            return true
        }
        return isOpen ? begun : nil
    }

    /// The open recovery of a cookie with its user.
    private func open(
        _ cookie: Sensitive<String>, at now: Timestamp
    ) async throws(ServerError) -> (recovery: Recovery, user: User)? {
        let hash = RecoveryCookieHash(of: cookie.reveal().utf8)
        return try await transactions.read { snapshot throws(ServerTransactionFailure) in
            guard let recovery = try snapshot.recovery(hash), recovery.isOpen(at: now),
                let user = try snapshot.user(of: recovery, at: now)
            else { return nil }
            return (recovery, user)
        }
    }

    /// The same, while nothing has ended it since; its user is locked until the transaction ends.
    private static func open(
        _ known: Recovery, at now: Timestamp, in transaction: any OpenIDTransaction
    ) throws(ServerTransactionFailure) -> (recovery: Recovery, user: User)? {
        guard try transaction.lockUser(known.userID) != nil, let recovery = try transaction.recovery(of: known.userID),
            recovery.cookie == known.cookie, recovery.isOpen(at: now),
            let user = try transaction.user(of: recovery, at: now)
        else { return nil }
        return (recovery, user)
    }
}

extension Recovery {
    fileprivate init(of user: User, cookie: RecoveryCookieHash?, _ settings: OpenIDSettings.Recovery, at now: Timestamp)
    {
        let opensAt = now + settings.wait
        self.init(
            userID: user.id, cookie: cookie, code: nil, begunAt: now, opensAt: opensAt,
            expiresAt: opensAt + OpenIDSettings.Recovery.openTime, holdsSince: max(now, user.notBefore))
    }
}
