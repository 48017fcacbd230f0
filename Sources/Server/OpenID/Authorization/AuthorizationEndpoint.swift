import Octets
package import ServerCore
import UAF

/// Authorization endpoint (OpenID Connect Core 1.0, 3.1.2).
package struct AuthorizationEndpoint: Sendable {
    let clients: any ClientRegistry
    let keys: ProviderKeys
    let transactions: any OpenIDTransactionRunner
    let pushed: PushedRequests
    let codes: AuthorizationCodeIssuer
    let sessions: BrowserSessions
    let pages: SignInPageOpener

    /// Answers an authorization request, by query or form (OpenID Connect Core 1.0, 3.1.2.1).
    ///
    /// Throws ``OpenIDRefusal`` without an address to go back to: the page says so and sends the browser nowhere.
    package func authorize(
        _ fields: OpenIDFields, browser: BrowserCookies, client context: ClientContext
    ) async throws(OpenIDRefusal) -> AuthorizationAnswer {
        guard let name = fields["client_id"] else { throw OpenIDRefusal(.invalidRequest, field: "client_id") }
        guard let client = try await clients.client(named: name) else {
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
        parameters.hintedSubject = keys.subject(ofHint: fields["id_token_hint"])
        return try await answer(parameters, browser, context)
    }

    private func answer(
        _ parameters: AuthorizationParameters, _ browser: BrowserCookies, _ context: ClientContext
    ) async throws(OpenIDRefusal) -> AuthorizationAnswer {
        let active = try await sessions.active(browser)
        if let active, active.isEnough(for: parameters), Self.isMeant(active, by: parameters),
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
        return try await pages.open(parameters, browser, context)
    }

    /// Whether a hint, if there is one, is an ID token for the user of the session.
    private static func isMeant(_ active: BrowserSessions.Active, by parameters: AuthorizationParameters) -> Bool {
        parameters.hintedSubject?.hasSameOctets(as: active.user.externalID.text) ?? true
    }

    /// Answer from the session of the browser; nil when what it rests on has ended meanwhile.
    private func answer(
        _ parameters: AuthorizationParameters, from active: BrowserSessions.Active, _ context: ClientContext
    ) async throws(OpenIDRefusal) -> AuthorizationAnswer? {
        let draft = codes.draft(
            parameters, active.confirmation, session: active.session, recording: .signedIn, from: context)
        let (cookie, holder) = (active.session.cookie, active.user.id)
        let admission = try await transactions.transactionOrRefusal {
            transaction throws(ServerTransactionFailure) -> SignInVerdict in
            guard try transaction.lockUser(holder) != nil, try transaction.browserSession(cookie) != nil else {
                return .ended
            }
            return try draft.write(in: transaction)
        }
        return admission == .granted ? AuthorizationAnswer(codes.answer(draft, to: parameters)) : nil
    }
}
