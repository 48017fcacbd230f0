import JOSE
import Octets
package import ServerCore

/// Logout of a browser (OpenID Connect RP-Initiated Logout 1.0).
package struct ProviderLogout: Sendable {
    /// Value of the field `action` of the form by which a person says so themselves; only a post may carry it.
    static let confirmation = "logout"

    let clients: any ClientRegistry
    let keys: ProviderKeys
    let transactions: any OpenIDTransactionRunner
    let clock: any WallClock
    let sessions: BrowserSessions

    /// Ends the session of a browser (OpenID Connect RP-Initiated Logout 1.0, 2), and tells the clients.
    ///
    /// Without an `id_token_hint` of this session the answer is ``AuthorizationAnswer/page(_:)``, which asks first. Nothing ends
    /// when the request is malformed or names an address that is not registered.
    package func logOut(
        _ fields: OpenIDFields, browser: BrowserCookies, client context: ClientContext
    ) async throws(OpenIDRefusal) -> AuthorizationAnswer {
        let claims = try claims(of: fields)
        let destination: AuthorizationAnswer.Destination
        do throws(OpenIDRefusal) {
            destination = try await self.destination(fields, claims)
        } catch {
            // Only a hint that this server has signed names a client.
            throw claims?.audience.first.flatMap(ClientID.init).map(error.of) ?? error
        }
        guard let active = try await sessions.admitted(browser.provider) else {
            // Without its cookie (`SameSite=Lax`) comes a form of another site: it must not make the browser forget it.
            return AuthorizationAnswer(destination, cookies: browser.provider == nil ? [] : forgetting)
        }
        let isHinted = claims?.text("sid")?.hasSameOctets(as: active.session.id.text) == true
        guard isHinted || fields["action"] == Self.confirmation else {
            return AuthorizationAnswer(.page(.confirmLogout))
        }
        do throws(ServerError) {
            try await end(active.session, of: active.user, context)
        } catch {
            throw OpenIDRefusal(error)
        }
        return AuthorizationAnswer(destination, cookies: forgetting)
    }

    private var forgetting: [(name: String, value: Sensitive<String>?, expiresAt: Timestamp?)] {
        ([BrowserCookies.providerName] + (sessions.settings.bindsSessions ? [BrowserCookies.boundName] : []))
            .map { (name: $0, value: nil, expiresAt: nil) }
    }

    private func claims(of fields: OpenIDFields) throws(OpenIDRefusal) -> JWTClaims? {
        guard let hint = fields["id_token_hint"] else { return nil }
        guard let claims = keys.claims(ofHint: hint) else {
            throw OpenIDRefusal(
                .invalidRequest, field: "id_token_hint", cause: "id_token_hint is no ID token of this server")
        }
        return claims
    }

    /// Place to go to afterwards: an address that the client of the hint has registered, else a page.
    private func destination(
        _ fields: OpenIDFields, _ claims: JWTClaims?
    ) async throws(OpenIDRefusal) -> AuthorizationAnswer.Destination {
        if let name = fields["client_id"], let claims, !claims.audience.contains(where: { $0.hasSameOctets(as: name) })
        {
            throw OpenIDRefusal(.invalidRequest, field: "client_id")
        }
        guard let wanted = fields["post_logout_redirect_uri"], let claims else { return .page(.loggedOut) }
        let state = try AuthorizationRequestReader.state(in: fields)
        guard let client = try await clients.client(named: claims.audience.first),
            let redirect = client.logoutRedirects.first(where: { $0.text.hasSameOctets(as: wanted) })
        else {
            throw OpenIDRefusal(
                .invalidRequest, field: "post_logout_redirect_uri",
                cause: "post_logout_redirect_uri is not registered for the client of the hint")
        }
        guard let state else { return .redirect(Sensitive(redirect.text)) }
        let mark = redirect.text.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
        return .redirect(Sensitive(redirect.text + mark + FormPairs.encode([(name: "state", value: state)])))
    }

    private func clientsEndingOfflineAccess(
        in session: BrowserSessionID
    ) async throws(ServerError) -> Set<ClientID> {
        let named = try await transactions.read { snapshot throws(ServerTransactionFailure) in
            Set(try snapshot.grants(in: session).map(\.client))
        }
        var ending: Set<ClientID> = []
        for id in named where try await clients.client(id)?.endsOfflineAccess == true { ending.insert(id) }
        return ending
    }

    /// Ends the session, and tells each of its clients once.
    ///
    /// Its grants end with it, except grants with `offline_access`, which are for use without the user (Back-Channel
    /// Logout 1.0, 2.7): these end when their client is set to want that.
    func end(_ session: BrowserSession, of user: User, _ context: ClientContext) async throws(ServerError) {
        let ending = try await clientsEndingOfflineAccess(in: session.id)
        let now = clock.now()
        let record = AuditEvent(.providerSessionEnded, at: now, client: context).about(user)
        try await transactions.transaction { transaction throws(ServerTransactionFailure) -> Void in
            guard try transaction.lockUser(user.id) != nil, try transaction.removeBrowserSession(session.id) else {
                return
            }
            try transaction.append(record)
            let grants = try transaction.grants(in: session.id)
            let ended = grants.filter { !$0.scopes.contains(.offlineAccess) || ending.contains($0.client) }
            try transaction.end(ended, of: user, telling: grants, at: now, from: context)
        }
    }
}
