package import DeviceAttestation
package import OpenID
package import ServerCore
package import UAF
import UAFService

/// Transaction on values in memory, with what the port promises and nothing else.
package final class MemoryTransaction: OpenIDTransaction {
    /// Everything that is kept.
    package struct State: Sendable {
        package var users: [User] = []
        package var attributes: [UserID: UserAttributesRecord] = [:]
        package var credentials: [RegisteredCredential] = []
        package var removedMethods: [UserID: [Assurance: Timestamp]] = [:]
        package var sessions: [Session] = []
        package var attestedKeys: [AppAttestKeyID: (key: AppAttestKey, usedAt: Timestamp)] = [:]
        package var attestations: [RegistrationID: CredentialAttestation] = [:]
        package var targets: [DispatchTarget] = []
        package var requests: [SignedRequest] = []
        package var operations: [OutOfBandCeremony] = []
        package var authorizations = MemoryTransactionAuthorizations()
        package var incidents: [(incident: UserIncident, user: UserID, time: Timestamp)] = []
        package var consumed: [ChallengeHash: CeremonyOutcome] = [:]
        package var corrected: [ChallengeHash: StatusCode] = [:]
        package var attempts: [AttemptKey: AttemptCount] = [:]
        package var watermark = Timestamp(milliseconds: 0)
        package var audit: [AuditEvent] = []
        /// End of the audit chain.
        package var auditHead: AuditRecord.Head?
        package var backchannel = BackchannelState()
        package var messages: [OutgoingMessage] = []
        package var places: [String: [String: Int64]] = [:]
        package var history: [HistoryEntry] = []
        package var recoveryCodes: [UserID: (hashes: Set<RecoveryCodeHash>, createdAt: Timestamp)] = [:]
        package var recoveries: [UserID: Recovery] = [:]
        package var passkeys: [Passkey] = []
        package var passkeyOffers: [UserID: PasskeyOffer] = [:]
        package var imports: [String: ImportProgress] = [:]
    }

    package var state: State
    /// Users that were locked, in order.
    package private(set) var locked: [UserID] = []

    /// Transaction on a state, an empty one by default.
    package init(_ state: State = State()) { self.state = state }

    /// Kinds of the records so far.
    package var kinds: [AuditEvent.Kind] { state.audit.map(\.kind) }

    /// Name of the only chain.
    package let chainID = "memory"

    package func append(_ event: AuditEvent) { _ = appended(event) }

    package func append(_ event: AuditEvent, with receipt: ReceiptEvidence) {
        state.backchannel.receipts[receipt.id] = StoredReceipt(receipt, chain: chainID, record: appended(event))
    }

    private func appended(_ event: AuditEvent) -> AuditRecord.Head {
        state.audit.append(event)
        let head = AuditRecord(chainID: chainID, after: state.auditHead, event: event.json).head
        state.auditHead = head
        return head
    }

    package func undoingRefused<Refusal>(
        _ body: () throws(ServerTransactionFailure) -> Refusal?
    ) throws(ServerTransactionFailure) -> Refusal? {
        let before = state
        let refusal = try body()
        if refusal != nil { state = before }
        return refusal
    }

    package func importProgress(of file: String) -> ImportProgress? { state.imports[file] }

    package func set(_ progress: ImportProgress, ofImport file: String, after known: Int) -> Bool {
        let before = state.imports[file]
        guard before.map({ $0.entries == known && $0.endedAt == nil }) ?? true else { return false }
        state.imports[file] = progress
        return true
    }

    // MARK: - Users

    package func user(_ id: UserID) -> User? { state.users.first { $0.id == id } }

    package func user(named name: UserName) -> User? {
        state.users.first { $0.name == name || $0.externalID == name }
    }

    package func insert(_ user: User, mayBeAlike: Bool) -> UserAddition {
        guard self.user(named: user.name) == nil, self.user(named: user.externalID) == nil else { return .taken }
        let skeleton = NameSkeleton(of: user.name)
        if !mayBeAlike, let alike = state.users.first(where: { NameSkeleton(of: $0.name) == skeleton }) {
            return .alike(alike.name)
        }
        state.users.append(user)
        return .added
    }

    package func attributes(of user: UserID) -> UserAttributesRecord? { state.attributes[user] }

    package func set(_ record: UserAttributesRecord, of user: UserID) { state.attributes[user] = record }

    package func set(_ status: User.Status, of user: UserID) {
        state.users = state.users.map { old in
            guard old.id == user else { return old }
            return User(
                id: old.id, name: old.name, externalID: old.externalID, status: status, createdAt: old.createdAt,
                notBefore: old.notBefore, owner: old.owner, auditKey: old.auditKey)
        }
    }

    package func removeUser(_ user: UserID, at time: Timestamp) { state.users.removeAll { $0.id == user } }

    package func lockUser(_ id: UserID) -> User? {
        locked.append(id)
        return user(id)
    }

    package func endLogins(of user: UserID, at time: Timestamp) throws(ServerTransactionFailure) {
        let latest =
            state.credentials.filter { $0.userID == user }
            .map { max($0.lastSuccessAt ?? time, $0.notBefore) }.max() ?? time
        let latestPasskey = passkeys(of: user).map { $0.usedAt ?? $0.registeredAt }.max() ?? time
        state.users = state.users.map { old in
            guard old.id == user else { return old }
            return User(
                id: old.id, name: old.name, externalID: old.externalID, status: old.status, createdAt: old.createdAt,
                notBefore: max(old.notBefore, time, latest, latestPasskey) + .milliseconds(1), owner: old.owner,
                auditKey: old.auditKey
            )
        }
        try endLoginsWithoutProof(of: user, at: time)
    }

    package func hasSession(_ cookieHash: CookieHash) -> Bool {
        state.sessions.contains { $0.cookieHash == cookieHash }
    }

    package func insert(_ session: Session) { state.sessions.append(session) }

    // MARK: - Attempts to log in

    package func attempts(_ key: AttemptKey) -> AttemptCount? { state.attempts[key] }

    package func countAttempt(_ key: AttemptKey, since start: Timestamp, at now: Timestamp) -> AttemptCount {
        var counted = AttemptCount(count: 1, began: now)
        if let old = state.attempts[key], old.began > start {
            counted = AttemptCount(count: old.count + 1, began: min(old.began, now))
        }
        state.attempts[key] = counted
        return counted
    }

    package func takeBackAttempt(_ key: AttemptKey) {
        guard let old = state.attempts[key], old.count > 0 else { return }
        state.attempts[key] = AttemptCount(count: old.count - 1, began: old.began)
    }

    package func forgetAttempts(_ key: AttemptKey) { state.attempts[key] = nil }

    package func removeAttempts(begunBefore time: Timestamp, limit: Int) -> Int {
        let old = state.attempts.filter { $0.value.began < time }.sorted { $0.value.began < $1.value.began }
        for (key, _) in old.prefix(limit) { state.attempts[key] = nil }
        return min(old.count, limit)
    }

    // MARK: - Credentials

    package func holder(_ id: UserID) -> CredentialHolder? {
        user(id).map { user in CredentialHolder(user: user, credentials: credentials { $0.userID == id }) }
    }

    package func hasKey(behind evidence: RequestAuthorization.Evidence, of user: UserID) -> Bool {
        evidence.registrations.isEmpty
            || state.credentials.contains {
                $0.userID == user && $0.status == .active && $0.notBefore <= evidence.authenticatedAt
                    && evidence.registrations.contains($0.registrationID)
            }
            || state.passkeys.contains {
                $0.userID == user && $0.registeredAt <= evidence.authenticatedAt
                    && evidence.registrations.contains($0.id)
            }
    }

    package func credentialCount(of user: UserID) -> Int { state.credentials.count { $0.userID == user } }

    package func credentials(withKey keyID: KeyID) -> [RegisteredCredential] {
        state.credentials.filter { $0.id.keyID == keyID }
    }

    package func credential(_ id: CredentialID) -> RegisteredCredential? { state.credentials.first { $0.id == id } }

    package func credential(registeredAs id: RegistrationID) -> RegisteredCredential? {
        state.credentials.first { $0.registrationID == id }
    }

    package func credentials(on target: DispatchTargetID) -> [RegisteredCredential] {
        credentials { $0.targetID == target }
    }

    package func unassignedCredentials(of user: UserID) -> [RegisteredCredential] {
        credentials { $0.userID == user && $0.targetID == nil }
    }

    /// The credentials that are meant, oldest first.
    private func credentials(_ isMeant: (RegisteredCredential) -> Bool) -> [RegisteredCredential] {
        state.credentials.filter(isMeant).sorted { $0.registeredAt < $1.registeredAt }
    }

    package func insert(_ credential: VerifiedCredential) -> Bool {
        guard self.credential(credential.credential.id) == nil else { return false }
        state.credentials.append(credential.credential)
        return true
    }

    package func record(
        _ use: CeremonyOutcome.CredentialUse, at now: Timestamp, loggedInAt loginTime: Timestamp
    ) -> Bool {
        guard let index = state.credentials.firstIndex(where: { $0.registrationID == use.registrationID }) else {
            return false
        }
        let old = state.credentials[index]
        let stored = old.counters.signatures
        guard old.status == .active, let user = user(old.userID), user.status == .active,
            max(user.notBefore, old.notBefore) <= loginTime,
            stored < use.signCounter || (stored == 0 && use.signCounter == 0)
        else { return false }
        state.credentials[index] = old.changed(counter: use.signCounter, lastSuccessAt: now)
        return true
    }

    package func countFailure(of credential: RegistrationID) {}

    package func removeCredential(
        _ id: RegistrationID, of user: UserID, at now: Timestamp
    ) throws(ServerTransactionFailure) -> Bool {
        let count = state.credentials.count
        noteRemoval(of: state.credentials.filter { $0.registrationID == id }, at: now)
        state.credentials.removeAll { $0.registrationID == id }
        state.attestations[id] = nil
        try endLoginsWithoutProof(of: user, at: now)
        return state.credentials.count < count
    }

    package func setStatus(
        _ status: RegisteredCredential.Status, of ids: [CredentialID], ownedBy user: UserID, at now: Timestamp
    ) -> [CredentialID] {
        let found = state.credentials.filter { ids.contains($0.id) && $0.userID == user }
        let changed = found.map(\.id)
        if status == .disabled { noteRemoval(of: found, at: now) }
        state.credentials = state.credentials.map { old in
            guard changed.contains(old.id) else { return old }
            let end = max(old.lastSuccessAt ?? now, old.notBefore, now) + .milliseconds(1)
            return old.changed(status: status, notBefore: status == .disabled ? end : nil)
        }
        return changed
    }

    // MARK: - Strength

    package func strength(of user: UserID) -> AccountStrength {
        let active = state.credentials.filter { $0.userID == user && $0.status == .active }
        return AccountStrength(
            registered: Set(active.map { Assurance($0.protection) } + passkeys(of: user).map(\.assurance)),
            removed: state.removedMethods[user] ?? [:])
    }

    package func noteRemoval(of method: Assurance, by user: UserID, at time: Timestamp) {
        state.removedMethods[user, default: [:]].merge([method: time], uniquingKeysWith: max)
    }

    private func noteRemoval(of credentials: [RegisteredCredential], at time: Timestamp) {
        for credential in credentials where credential.status == .active {
            noteRemoval(of: Assurance(credential.protection), by: credential.userID, at: time)
        }
    }

    package func forgetRemovals(before time: Timestamp, limit: Int) -> Int {
        let old = state.removedMethods.flatMap { user, times in
            times.filter { $0.value < time }.map { (user: user, method: $0.key) }
        }
        for entry in old.prefix(limit) { state.removedMethods[entry.user]?[entry.method] = nil }
        return min(old.count, limit)
    }

    package func moveCredentials(from old: DispatchTargetID, to new: DispatchTargetID) {
        state.credentials = state.credentials.map { $0.targetID == old ? $0.changed(targetID: .some(new)) : $0 }
    }

    // MARK: - Ends of ceremonies

    package func consumptionWatermark() -> Timestamp { state.watermark }

    package func consumeChallenge(of outcome: CeremonyOutcome) -> Bool {
        guard state.consumed[outcome.challenge] == nil else { return false }
        state.consumed[outcome.challenge] = outcome
        return true
    }

    package func setStatus(
        _ status: StatusCode, ofCeremonyWith challenge: ChallengeHash, expiringAt time: Timestamp
    ) {
        if state.consumed[challenge]?.challengeExpiresAt == time { state.corrected[challenge] = status }
    }

    package func endedCeremony(_ id: CeremonyID) -> EndedCeremony? {
        guard let outcome = state.consumed.values.first(where: { $0.inBand?.id == id }), let ending = outcome.inBand
        else { return nil }
        let correction = state.corrected[outcome.challenge]
        var answer = CeremonyProgress.Answer(
            statusCode: correction ?? outcome.event.statusCode ?? .ok, asmStatus: ending.asmStatus,
            clientErrorCode: ending.clientErrorCode, isReported: ending.isReported,
            credentials: correction == nil ? ending.credentials : [])
        answer.transaction = correction == nil ? ending.transaction : nil
        let holds = answer.statusCode == .ok
        return EndedCeremony(
            operation: ending.operation, userID: ending.userID,
            progress: CeremonyProgress(
                status: holds ? .succeeded : .failed, changedAt: outcome.event.at, expiresAt: outcome.event.at,
                failure: holds ? nil : .answered, answer: answer))
    }
}

extension RegisteredCredential {
    /// The same credential, seen later.
    package func changed(
        counter: UInt32? = nil, status: Status? = nil, lastSuccessAt: Timestamp? = nil,
        targetID: DispatchTargetID?? = nil, notBefore: Timestamp? = nil
    ) -> RegisteredCredential {
        RegisteredCredential(
            registrationID: registrationID, userID: userID, id: id, algorithm: algorithm, publicKey: publicKey,
            counters: Counters(signatures: counter ?? counters.signatures, registrations: counters.registrations),
            authenticatorVersion: authenticatorVersion, status: status ?? self.status, registeredAt: registeredAt,
            lastSuccessAt: lastSuccessAt ?? self.lastSuccessAt, targetID: targetID ?? self.targetID,
            protection: protection, notBefore: notBefore ?? self.notBefore)
    }
}
