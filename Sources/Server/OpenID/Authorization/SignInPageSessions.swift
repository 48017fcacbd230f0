import Octets
package import ServerCore

/// Sign-ins that are under way: ceremonies for a page, and the answer at its end.
package struct SignInPageSessions: SignInService {
    /// Time for which a push waits for the phone.
    package static let pushLifetime: Duration = .seconds(120)
    /// Pushes to one name that pages may ask for in ``pushWindow``, whether the name belongs to a user or not.
    static let pushLimit = 5
    static let pushWindow: Duration = .seconds(300)

    /// Time after which a page without JavaScript is loaded again; behind a balancer that sends it to another process each time it
    /// begins with a new code.
    private static let refreshTime: Duration = .seconds(5)

    /// Codes and pushes that one page may begin: any visitor can ask for them without naming a user.
    static func roundLimit(_ settings: OpenIDSettings.Provider) -> Int {
        Int(settings.sessionLifetime / settings.codeRotation) + Int(settings.sessionLifetime / refreshTime)
    }

    let settings: OpenIDSettings.Provider
    let clients: any ClientRegistry
    let confirmations: any ConfirmationService
    let transactions: any OpenIDTransactionRunner
    let clock: any WallClock
    let codes: AuthorizationCodeIssuer
    let browsers: BrowserSessions
    let logout: ProviderLogout

    /// The session of this browser; nil for another browser, after its end and after its answer.
    package func session(_ id: AuthorizationSessionID, browser: BrowserCookies) async throws(ServerError) -> OpenSignIn?
    {
        guard let cookie = browser.browser else { return nil }
        let hash = BrowserHash(of: cookie.reveal().utf8)
        let session = try await transactions.read { snapshot throws(ServerTransactionFailure) in
            try snapshot.authorizationSession(id)
        }
        guard let session, session.browser == hash, clock.now() < session.expiresAt, session.stage != .finished,
            let client = try await clients.client(session.parameters.client)
        else { return nil }
        return OpenSignIn(
            session: session, client: client,
            replacing: browser.provider.map { ProviderCookieHash(of: $0.reveal().utf8) })
    }

    /// State of the ceremony; a decoy looks like a push that no phone takes.
    package func state(
        of entry: OpenSignIn, unlike known: ConfirmationState?, atMost wait: Duration
    ) async throws(ServerError) -> ConfirmationState {
        guard let id = entry.session.stage.ceremony else { return .unknown }
        let decoy = SignInDecoy(id, in: entry.session)
        return try await confirmations.state(
            of: id, for: .client(entry.client.id), unlike: known, atMost: wait, pretendedUntil: decoy?.expiresAt)
    }

    /// Calls the session off; the client is told `access_denied`.
    package func cancel(
        _ entry: OpenSignIn, client context: ClientContext
    ) async throws(ServerError) -> AuthorizationAnswer {
        var finished = entry.session
        finished.stage = .finished
        guard try await advance(finished, from: entry.session) else { throw .forbidden }
        try await cancelCeremony(of: entry, client: context)
        let refusal = OpenIDRefusal(.accessDenied, cause: "the person has cancelled")
        return codes.refusal(refusal, to: entry.session.parameters.answerAddress)
    }

    /// Calls off what waits for a phone.
    func cancelCeremony(of entry: OpenSignIn, client context: ClientContext) async throws(ServerError) {
        guard case .confirming(let id) = entry.session.stage else { return }
        try await confirmations.cancel(id, for: .client(entry.client.id), client: context)
    }

    /// Writes stage and round of a session; false when another request has moved it.
    @discardableResult
    func advance(
        _ session: AuthorizationSession, from known: AuthorizationSession
    ) async throws(ServerError) -> Bool {
        try await transactions.transaction { transaction throws(ServerTransactionFailure) in
            try transaction.advance(session, from: known)
        }
    }

    // MARK: - End

    /// Begins the session of the browser and makes the code, once; see ``SignInService/finish(_:client:)``.
    ///
    /// A session that the browser has already goes on as the new one, with its grants. One of another user ends as by a logout.
    package func finish(
        _ entry: OpenSignIn, client context: ClientContext
    ) async throws(ServerError) -> AuthorizationAnswer {
        guard let confirmation = try await confirmation(of: entry) else { throw .forbidden }
        if let refusal = entry.session.parameters.refusal(of: confirmation) { return try await refuse(entry, refusal) }
        let ending = try await ending(of: entry, by: confirmation, context)
        let admission = try await transactions.transaction {
            transaction throws(ServerTransactionFailure) -> SignInVerdict in
            let admission = try ending.write(in: transaction)
            if case .weaker(let obstacle) = admission { try ending.record(obstacle, in: transaction) }
            return admission
        }
        switch admission {
        case .granted: return answer(to: entry, ending)
        case .ended: throw .forbidden
        case .weaker(let obstacle):
            return codes.refusal(OpenIDRefusal(obstacle), to: entry.session.parameters.answerAddress)
        }
    }

    /// End of a session, drawn before the transaction that writes it.
    struct Ending: Sendable {
        fileprivate let known: AuthorizationSession
        fileprivate let draft: AuthorizationCodeIssuer.Draft
        fileprivate let browser: (session: BrowserSession, cookie: Sensitive<String>)?

        /// Ends the session, and stores the code and begins the session of the browser when the confirmation lets in.
        func write(in transaction: any OpenIDTransaction) throws(ServerTransactionFailure) -> SignInVerdict {
            var finished = known
            finished.stage = .finished
            guard try transaction.advance(finished, from: known) else { return .ended }
            let admission = try draft.write(in: transaction)
            guard admission == .granted, let session = browser?.session else { return admission }
            _ = try transaction.removeBrowserSession(session.id)
            try transaction.insert(session)
            return .granted
        }

        func record(
            _ obstacle: AccountStrength.Obstacle, in transaction: any OpenIDTransaction
        ) throws(ServerTransactionFailure) {
            var event = draft.event
            event.kind = .weakerMethodRefused
            event.reason = obstacle.method.rawValue
            try transaction.append(event)
        }
    }

    func ending(
        of entry: OpenSignIn, by confirmation: Confirmation, _ context: ClientContext
    ) async throws(ServerError) -> Ending {
        let browser = browsers.draft(confirmation, continuing: try await replaced(by: confirmation, entry, context))
        return Ending(
            known: entry.session,
            draft: codes.draft(entry.session.parameters, confirmation, session: browser?.session, from: context),
            browser: browser)
    }

    /// Answer with the code of an end that was written.
    func answer(to entry: OpenSignIn, _ ending: Ending) -> AuthorizationAnswer {
        let cookies = ending.browser.map { browser in
            [
                (
                    name: BrowserCookies.providerName, value: Optional(browser.cookie),
                    expiresAt: Optional(browser.session.expiresAt)
                )
            ]
        }
        var answer = AuthorizationAnswer(
            codes.answer(ending.draft, to: entry.session.parameters), cookies: cookies ?? [])
        if settings.bindsSessions {
            answer.sessionChallenge = ending.browser.map { DeviceBoundSessions.firstChallenge($0.cookie) }
        }
        return answer
    }

    /// The session of the browser that goes on; nil where there is none, or it was another user's and has ended now.
    private func replaced(
        by confirmation: Confirmation, _ entry: OpenSignIn, _ context: ClientContext
    ) async throws(ServerError) -> BrowserSessionID? {
        guard let cookie = entry.replacing, let (session, user) = try await browsers.known(cookie) else { return nil }
        if user.id == confirmation.user.id { return session.id }
        try await logout.end(session, of: user, context)
        return nil
    }

    /// Ends a session without a code; the browser carries the refusal to the client.
    func refuse(
        _ entry: OpenSignIn, _ refusal: OpenIDRefusal
    ) async throws(ServerError) -> AuthorizationAnswer {
        var finished = entry.session
        finished.stage = .finished
        guard try await advance(finished, from: entry.session) else { throw .forbidden }
        return codes.refusal(refusal, to: entry.session.parameters.answerAddress)
    }

    /// The confirmation of exactly the text that this session has asked for; nil while there is none.
    private func confirmation(of entry: OpenSignIn) async throws(ServerError) -> Confirmation? {
        guard let id = entry.session.stage.ceremony,
            case .confirmed(let confirmation) = try await confirmations.state(
                of: id, for: .client(entry.client.id), unlike: nil, atMost: .zero)
        else { return nil }
        if let asked = text(of: entry) {
            guard confirmation.text?.hasSameOctets(as: asked) == true else { return nil }
        }
        return confirmation
    }

    /// Text that the phone shows for a session: what was pushed, else who asks.
    func text(of entry: OpenSignIn) -> String? {
        let parameters = entry.session.parameters
        if let text = parameters.text { return text }
        return settings.hasSignInText ? SignInText.text(for: entry.client, parameters) : nil
    }
}
