import JOSE
import Octets
import ServerCore
import UAF

/// Authorization endpoint (OpenID Connect Core 1.0, 3.1.2).
struct AuthorizationEndpoint: Sendable {
    /// Sign-in pages that one address may open in the life of one.
    static let addressLimit = 200

    let parts: ProviderParts
    let pushed: PushedRequests
    let codes: CodeIssue
    let sessions: ProviderSessions

    /// Verdict on a new session.
    private enum Opening: Sendable {
        case opened, tooMany
    }

    /// Answers a request; throws when there is no address to go back to.
    func authorize(
        _ fields: OpenIDFields, browser: BrowserCookies, client context: ClientContext
    ) async throws(OpenIDRefusal) -> AuthorizationAnswer {
        guard let name = fields["client_id"] else { throw OpenIDRefusal(.invalidRequest, field: "client_id") }
        guard let client = try await parts.client(named: name) else {
            throw OpenIDRefusal(.unauthorizedClient, field: "client_id")
        }
        return try await serving(client) { () async throws(OpenIDRefusal) in
            try await authorize(fields, of: client, browser, context)
        }
    }

    private func authorize(
        _ fields: OpenIDFields, of client: RegisteredClient, _ browser: BrowserCookies, _ context: ClientContext
    ) async throws(OpenIDRefusal) -> AuthorizationAnswer {
        if let uri = fields["request_uri"] {
            // Nothing of what the browser brings beside it counts (RFC 9126, 4; RFC 9101, 6.3).
            let parameters = try await pushed.take(uri, of: client)
            return try await answer(parameters, browser, context)
        }
        let reader = AuthorizationRequestReader(client: client, isPushed: false)
        let redirect = try reader.redirect(in: fields)
        var parameters: AuthorizationParameters
        do throws(OpenIDRefusal) {
            guard !client.requiresPushedRequests else { throw OpenIDRefusal(.invalidRequest, field: "request_uri") }
            parameters = try reader.parameters(in: fields, redirect: redirect)
        } catch {
            return codes.refusal(error, to: reader.addressOfRefused(fields, redirect))
        }
        parameters.hintedSubject = parts.keys.subject(ofHint: fields["id_token_hint"])
        return try await answer(parameters, browser, context)
    }

    private func answer(
        _ parameters: AuthorizationParameters, _ browser: BrowserCookies, _ context: ClientContext
    ) async throws(OpenIDRefusal) -> AuthorizationAnswer {
        let active = try await sessions.active(browser.provider)
        if let active, active.isEnough(for: parameters, at: parts.timeOfDay), Self.isMeant(active, by: parameters),
            let answer = try await answer(parameters, from: active, context)
        {
            return answer
        }
        guard !parameters.prompts.contains(.none) else {
            let cause =
                "prompt is none, and the browser has no session, or one that does not fit "
                + "(login_hint, id_token_hint, max_age, acr_values)"
            return codes.refusal(OpenIDRefusal(.loginRequired, cause: cause), to: parameters.answerAddress)
        }
        return try await open(parameters, browser, context)
    }

    /// Whether a hint, if there is one, is an ID token for the user of the session.
    private static func isMeant(_ active: ProviderSessions.Active, by parameters: AuthorizationParameters) -> Bool {
        parameters.hintedSubject?.hasSameOctets(as: active.user.externalID.text) ?? true
    }

    /// Answer from the session of the browser; nil when what it rests on has ended meanwhile.
    private func answer(
        _ parameters: AuthorizationParameters, from active: ProviderSessions.Active, _ context: ClientContext
    ) async throws(OpenIDRefusal) -> AuthorizationAnswer? {
        let draft = codes.draft(
            parameters, active.confirmation, session: active.session.id, from: context)
        let (cookie, holder) = (active.session.cookie, active.user.id)
        let isWritten = try await parts.transaction { transaction throws(ServerTransactionFailure) -> Bool in
            guard try transaction.lockUser(holder) != nil, try transaction.providerSession(cookie) != nil else {
                return false
            }
            return try draft.write(in: transaction)
        }
        return isWritten ? AuthorizationAnswer(codes.answer(draft, to: parameters)) : nil
    }

    /// Opens the sign-in page, in the browser that asks and in no other.
    private func open(
        _ parameters: AuthorizationParameters, _ browser: BrowserCookies, _ context: ClientContext
    ) async throws(OpenIDRefusal) -> AuthorizationAnswer {
        let cookie = Self.kept(browser.browser) ?? parts.secret()
        let (now, settings) = (parts.now, parts.settings)
        let session = AuthorizationSession(
            id: AuthorizationSessionID(from: parts.ports.random), browser: BrowserHash(of: cookie.reveal().utf8),
            parameters: parameters, createdAt: now, expiresAt: now + settings.sessionLifetime)
        let key = AttemptKey(of: "authorize\0\(context.network)".utf8)
        let opening = try await parts.transaction { transaction throws(ServerTransactionFailure) -> Opening in
            let attempts = try transaction.countAttempt(key, since: now - settings.sessionLifetime, at: now)
            guard attempts.count <= Self.addressLimit else { return .tooMany }
            let limit = settings.openSessionLimit
            guard try transaction.openAuthorizationSessionCount(after: now, limit: limit) < limit else {
                return .tooMany
            }
            try transaction.insert(session)
            return .opened
        }
        guard opening == .opened else {
            throw OpenIDRefusal(.temporarilyUnavailable, field: "client_id", retryAfter: 60)
        }
        return AuthorizationAnswer(
            .signIn(session.id), cookies: [(name: BrowserCookies.browserName, value: cookie, expiresAt: nil)])
    }

    /// The cookie of the browser, if the provider has made it: it has several pages open.
    private static func kept(_ cookie: Sensitive<String>?) -> Sensitive<String>? {
        guard let cookie, (try? Base64URL.decode(cookie.reveal()))?.count == 32 else { return nil }
        return cookie
    }
}
