package import BackendAPI
import FoundationEssentials
package import Octets
package import ServerCore
package import StrictJSON
import UAF
import WebAuthn

/// Registrations and changes on the page of the devices.
extension PasskeyProvider {
    package func registrationOptions(of session: BrowserSession) async throws(ServerError) -> JSONObject? {
        let weakest = settings.takesSyncedKeys ? Assurance.syncedPasskey : .passkey
        guard isFresh(session), session.assurance >= weakest else { return nil }
        let now = ports.clock.now()
        let offer = PasskeyOffer(
            userID: session.userID, session: session.id, challenge: ports.random.bytes(count: 32),
            expiresAt: now + Self.offerLifetime)
        let found = try await transactions.transaction {
            transaction throws(ServerTransactionFailure) -> (user: User, passkeys: [Passkey])? in
            guard let user = try transaction.user(of: session, at: now, wait: removalWait) else { return nil }
            try transaction.set(offer)
            return (user, try transaction.passkeys(of: user.id))
        }
        return found.map { found in
            var creation = CreationOffer(challenge: offer.challenge, user: PasskeyUser(found.user))
            creation.excluded = found.passkeys.map(\.record.descriptor)
            return creation.options(of: settings)
        }
    }

    package func register(
        _ answer: Sensitive<[UInt8]>, named name: DeviceName, by session: BrowserSession, client: ClientContext
    ) async throws(ServerError) -> PasskeyChange {
        guard isFresh(session) else { return .confirmFirst }
        let given: RegistrationAnswer
        switch Result(catching: { () throws(PasskeyError) in try RegistrationAnswer(answer.reveal()) }) {
        case .success(let answer): given = answer
        case .failure(let error): return try await refuse(error, session, client)
        }
        let taken = try await take(given.id, session)
        guard case .taken(let user, let offer, isRegistered: let isRegistered) = taken else { return taken.change }
        let verified: VerifiedPasskey
        do throws(PasskeyError) {
            verified = try await verification.registration(
                given, for: CreationOffer(challenge: offer.challenge, user: PasskeyUser(user)),
                isRegistered: isRegistered,
                at: Date(timeIntervalSince1970: Double(ports.wall.now().milliseconds) / 1_000))
        } catch {
            return try await refuse(error, session, client)
        }
        // One that is not found without a name was not asked for.
        guard verified.isDiscoverable != false else { return .unusable }
        let now = ports.clock.now()
        let passkey = Passkey(
            id: RegistrationID(from: ports.random), userID: user.id, record: verified.record,
            attestation: verified.attestation, name: name, registeredAt: now)
        guard session.assurance >= passkey.assurance else { return .confirmFirst }
        let change = try await change(session, .passkeyRegistered, passkey.id, client) {
            transaction throws(ServerTransactionFailure) in
            guard try transaction.passkeyCount(of: user.id) < Self.limit else { return .tooMany }
            return try transaction.insert(passkey) ? .done : .unusable
        }
        if change == .done { PasskeyMetrics.registration.count(PasskeyMetrics.accepted) }
        return change
    }

    package func rename(
        _ passkey: RegistrationID, to name: DeviceName, by session: BrowserSession, client: ClientContext
    ) async throws(ServerError) -> PasskeyChange {
        try await change(session, .passkeyRenamed, passkey, client) { transaction throws(ServerTransactionFailure) in
            try transaction.rename(passkey, of: session.userID, to: name) ? .done : .unknown
        }
    }

    /// Removes a passkey by a fresh sign-in that is as strong.
    package func remove(
        _ passkey: RegistrationID, by session: BrowserSession, client: ClientContext
    ) async throws(ServerError) -> PasskeyChange {
        let (hasFreshSignIn, now) = (isFresh(session), ports.clock.now())
        return try await change(session, .passkeyRemoved, passkey, client) {
            transaction throws(ServerTransactionFailure) in
            guard let owned = try transaction.passkey(registeredAs: passkey), owned.userID == session.userID else {
                return .unknown
            }
            guard hasFreshSignIn, session.assurance >= owned.assurance else { return .confirmFirst }
            return try transaction.removePasskey(passkey, of: session.userID, at: now) ? .done : .unknown
        }
    }

    // MARK: - Steps

    private func isFresh(_ session: BrowserSession) -> Bool {
        ports.wall.now() - session.authenticatedAt <= Self.freshness
    }

    /// Result of taking an open registration, which is then answered.
    private enum Taking: Sendable {
        case taken(User, PasskeyOffer, isRegistered: Bool)
        case refused(PasskeyChange)

        var change: PasskeyChange { if case .refused(let change) = self { change } else { .done } }
    }

    private func take(_ credential: [UInt8], _ session: BrowserSession) async throws(ServerError) -> Taking {
        let now = ports.clock.now()
        return try await transactions.transaction { transaction throws(ServerTransactionFailure) -> Taking in
            guard let user = try transaction.user(of: session, at: now, wait: removalWait),
                let offer = try transaction.passkeyOffer(of: user.id), offer.session == session.id,
                try transaction.removePasskeyOffer(of: user.id), now < offer.expiresAt
            else { return .refused(.confirmFirst) }
            guard try transaction.passkeyCount(of: user.id) < Self.limit else { return .refused(.tooMany) }
            return .taken(user, offer, isRegistered: try transaction.passkey(credential: credential) != nil)
        }
    }

    /// Changes a passkey while the session holds, and records what was done.
    private func change(
        _ session: BrowserSession, _ kind: AuditEvent.Kind, _ passkey: RegistrationID, _ client: ClientContext,
        _ body: @escaping OpenIDTransactionBody<PasskeyChange>
    ) async throws(ServerError) -> PasskeyChange {
        let now = ports.clock.now()
        return try await transactions.transaction { transaction throws(ServerTransactionFailure) -> PasskeyChange in
            guard let user = try transaction.user(of: session, at: now, wait: removalWait) else { return .confirmFirst }
            let change = try body(transaction)
            guard change == .done else { return change }
            var event = AuditEvent(kind, at: now, client: client).about(user)
            event.initiator = .user(user.id)
            event.passkey = passkey
            try transaction.append(event)
            return .done
        }
    }

    private func refuse(
        _ error: PasskeyError, _ session: BrowserSession, _ client: ClientContext
    ) async throws(ServerError) -> PasskeyChange {
        PasskeyMetrics.registration.count("\(error)")
        guard log.countUnsigned("passkey: \(error)", from: client, user: session.userID) else { return .unusable }
        var event = AuditEvent(.passkeyRefused, at: ports.clock.now(), userID: session.userID, client: client)
        event.reason = "\(error)"
        let record = event
        try await transactions.transaction { transaction throws(ServerTransactionFailure) in
            try transaction.append(record)
        }
        return .unusable
    }
}

extension PasskeyUser {
    fileprivate init(_ user: User) {
        self.init(handle: user.id.octets, name: user.name.text, displayName: user.name.text)
    }
}

extension OpenIDTransaction {
    /// The user of a session of a browser, locked, while the session holds.
    fileprivate func user(
        of session: BrowserSession, at now: Timestamp, wait: Duration
    ) throws(ServerTransactionFailure) -> User? {
        guard let user = try lockUser(session.userID), let known = try browserSession(session.cookie),
            known.id == session.id, known.userID == user.id, now < known.expiresAt,
            try admission(by: session, of: user, at: now, wait: wait) == .granted
        else { return nil }
        return user
    }
}
