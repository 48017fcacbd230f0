package import Octets
package import ServerCore
import WebAuthn

/// Sign-ins at the sign-in page.
extension PasskeyProvider {
    /// A try to sign in, for the records of its refusal.
    private struct Attempt: Sendable {
        let entry: OpenSignIn
        let client: ClientContext
        /// Passkey of the answer and its user; nil for an unknown credential.
        var holder: (passkey: Passkey, user: User)?
    }

    package func signIn(
        _ session: OpenSignIn, with answer: Sensitive<[UInt8]>, client: ClientContext
    ) async throws(ServerError) -> PasskeySignIn {
        let (page, now) = (session.session, ports.clock.now())
        let wait = try await transactions.transaction { transaction throws(ServerTransactionFailure) in
            try PasskeyThrottle.answers.count(page, from: client.network, at: now, in: transaction)
        }
        if let wait { throw .tooManyOperations(retryAfter: wait) }
        var attempt = Attempt(entry: session, client: client)
        guard page.parameters.text == nil else {
            return try await refuse("only a phone shows and signs a text", attempt, telling: .weakerThanAsked)
        }
        switch Result(catching: { () throws(PasskeyError) in try AssertionAnswer(answer.reveal()) }) {
        case .failure(let error): return try await refuse(error, attempt)
        case .success(let given):
            attempt.holder = try await holder(of: given)
            let offer = try offer(for: given, to: attempt.holder?.passkey, on: page)
            let record = attempt.holder?.passkey.record
            switch Result(catching: { () throws(PasskeyError) in try judged(given, offer, record) }) {
            case .failure(let error): return try await refuse(error, attempt)
            case .success(let use): return try await end(attempt, use)
            }
        }
    }

    // MARK: - Judgement

    private func holder(of answer: AssertionAnswer) async throws(ServerError) -> (passkey: Passkey, user: User)? {
        try await transactions.read { snapshot throws(ServerTransactionFailure) in
            guard let passkey = try snapshot.passkey(credential: answer.id),
                let user = try snapshot.user(passkey.userID)
            else { return nil }
            return (passkey, user)
        }
    }

    /// Request that the page has made: for the passkeys of one user by name, whose challenge is another one, or for any.
    private func offer(
        for answer: AssertionAnswer, to passkey: Passkey?, on page: AuthorizationSession
    ) throws(ServerError) -> RequestOffer {
        if let passkey {
            var named = RequestOffer(challenge: try secrets.challenge(of: page, for: passkey.userID))
            named.user = passkey.record.user
            if answer.asked == named.challenge { return named }
        }
        return RequestOffer(challenge: try secrets.challenge(of: page, for: nil))
    }

    /// Judges an answer; one for an unknown credential is judged by a stand-in as well, whose verdict is dropped.
    private func judged(
        _ answer: AssertionAnswer, _ offer: RequestOffer, _ record: PasskeyRecord?
    ) throws(PasskeyError) -> VerifiedPasskeyUse {
        if record == nil, let standIn, let asked = answer.asked,
            let model = AAGUID(octets: [UInt8](repeating: 0, count: 16))
        {
            let report = try? AuthenticatorReport(answer.authenticatorData)
            let user = answer.user ?? [0]
            var offer = RequestOffer(challenge: asked)
            offer.user = user
            _ = try? verification.authentication(
                answer, for: offer,
                record: PasskeyRecord(
                    descriptor: CredentialDescriptor(id: answer.id), user: user, key: standIn, model: model,
                    isBackupEligible: report?.flags.contains(.backupEligible) ?? false, wasUserVerified: true,
                    state: PasskeyRecord.State(signCounter: 0, isBackedUp: false)))
        }
        return try verification.authentication(answer, for: offer, record: record)
    }

    // MARK: - End

    private func end(_ attempt: Attempt, _ use: VerifiedPasskeyUse) async throws(ServerError) -> PasskeySignIn {
        guard let (known, user) = attempt.holder else { return .refused(.unusable) }
        guard user.status == .active else { return try await refuse("the user is locked", attempt) }
        var passkey = known
        passkey.record = use.record
        let parameters = attempt.entry.session.parameters
        if let least = parameters.assurance.min(), passkey.assurance < least {
            return try await refuse("the client asks for \(least.rawValue)", attempt, telling: .weakerThanAsked)
        }
        let now = ports.clock.now()
        let confirmation = confirmation(of: user, by: passkey, at: now)
        passkey.usedAt = confirmation.evidence.authenticatedAt
        if let refusal = parameters.refusal(of: confirmation) {
            return .answered(try await sessions.refuse(attempt.entry, refusal))
        }
        let ending = try await sessions.ending(of: attempt.entry, by: confirmation, attempt.client)
        let event = signedIn(passkey, confirmation, attempt, at: now)
        let (used, counter) = (passkey, known.record.state.signCounter)
        let refusal = try await transactions.transaction {
            transaction throws(ServerTransactionFailure) -> SignInVerdict? in
            let refusal = try transaction.undoingRefused { () throws(ServerTransactionFailure) -> SignInVerdict? in
                let admission = try ending.write(in: transaction)
                guard admission == .granted else { return admission }
                guard try transaction.use(used, from: counter) else { return .ended }
                try transaction.append(event)
                return nil
            }
            if case .weaker(let obstacle)? = refusal { try ending.record(obstacle, in: transaction) }
            return refusal
        }
        switch refusal {
        case nil, .granted:
            PasskeyMetrics.signIn.count(PasskeyMetrics.accepted)
            // Nothing is lost where it waits until its end.
            try? await sessions.cancelCeremony(of: attempt.entry, client: attempt.client)
            return .answered(sessions.answer(to: attempt.entry, ending))
        case .ended: return try await refuse("the session, the passkey or the login has ended", attempt)
        case .weaker:
            PasskeyMetrics.signIn.count("the account has a stronger method")
            return .refused(.weakerThanRegistered)
        }
    }

    private func confirmation(
        of user: User, by passkey: Passkey, at now: Timestamp
    ) -> Confirmation {
        let time = max(user.authenticationTime(at: now), passkey.registeredAt)
        return Confirmation(
            id: CeremonyID(at: now, from: ports.random), user: user, authenticatedAt: ports.wall.now(),
            evidence: RequestAuthorization.Evidence(authenticatedAt: time, registrations: [passkey.id]),
            assurance: passkey.assurance, text: nil)
    }

    private func signedIn(
        _ passkey: Passkey, _ confirmation: Confirmation, _ attempt: Attempt, at now: Timestamp
    ) -> AuditEvent {
        var event = AuditEvent(.signedIn, at: now, client: attempt.client).about(confirmation.user)
        event.channel = .passkey
        event.ceremonyID = confirmation.id
        event.initiator = .client(attempt.entry.client.id)
        event.passkey = passkey.id
        return event
    }

    // MARK: - Refusal

    private func refuse(_ error: PasskeyError, _ attempt: Attempt) async throws(ServerError) -> PasskeySignIn {
        try await refuse("\(error)", attempt, isClone: error.refusal == .signCounter)
    }

    /// Logs a refusal, and records it while it is among the first of its sender; one of a copied key always.
    private func refuse(
        _ reason: String, _ attempt: Attempt, isClone: Bool = false, telling told: PasskeySignInRefusal = .unusable
    ) async throws(ServerError) -> PasskeySignIn {
        PasskeyMetrics.signIn.count(reason)
        let user = attempt.holder?.user
        let isAmongFirst = log.countUnsigned("passkey: \(reason)", from: attempt.client, user: user?.id)
        guard isAmongFirst || isClone else { return .refused(told) }
        var event = AuditEvent(
            isClone ? .cloneSuspected : .passkeyRefused, at: ports.clock.now(), client: attempt.client)
        if let user { event = event.about(user) }
        event.reason = reason
        event.initiator = .client(attempt.entry.client.id)
        event.passkey = attempt.holder?.passkey.id
        let record = event
        try await transactions.transaction { transaction throws(ServerTransactionFailure) in
            try transaction.append(record)
        }
        return .refused(told)
    }
}

extension AssertionAnswer {
    /// Challenge that the client data repeat; nil for client data of another form.
    fileprivate var asked: [UInt8]? {
        (try? CollectedClientData(clientData)).flatMap { try? Base64URL.decode($0.challenge) }
    }
}
