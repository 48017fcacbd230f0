import Crypto
import JOSE
package import Octets
package import ServerCore

/// Keys of browsers for their sessions, and the cookies that only a holder of such a key gets (Device Bound Session Credentials,
/// draft of February 2026).
package struct DeviceBoundSessions: Sendable {
    /// Algorithms of the keys, the preferred first.
    package static let algorithms = ["ES256", "RS256"]
    private static let type = "dbsc+jwt"

    let sessions: BrowserSessions
    let log: ServiceLog

    /// Answer to a browser, which sends its requests by itself.
    package enum Answer: Sendable {
        /// The session is bound, and has a cookie until a time.
        case bound(BrowserSessionID, cookie: Sensitive<String>, until: Timestamp)
        /// The browser has to sign this.
        case challenge(String, BrowserSessionID)
        /// There is nothing to bind: the browser forgets its key.
        case ended
    }

    /// Request of a browser, as it came.
    package struct Request: Sendable {
        let cookies: BrowserCookies
        /// Identifier of the session; nil where the browser registers a key.
        let session: String?
        /// A JWT that the key has signed.
        let proof: Sensitive<String>?

        package init(cookies: BrowserCookies, session: String?, proof: Sensitive<String>?) {
            (self.cookies, self.session, self.proof) = (cookies, session, proof)
        }
    }

    /// Challenge that the first proof of a new session signs: a page of another site cannot know it.
    static func firstChallenge(_ cookie: Sensitive<String>) -> String {
        let key = SymmetricKey(data: Array(cookie.reveal().utf8))
        return Base64URL.encode(
            Array(HMAC<SHA256>.authenticationCode(for: Array("signet-session-key".utf8), using: key)))
    }

    package func answer(_ request: Request, client: ClientContext) async throws(OpenIDRefusal) -> Answer {
        guard let cookie = request.cookies.provider, let active = try await sessions.admitted(cookie) else {
            return .ended
        }
        switch active.session.binding {
        case .none: return try await register(request, cookie, active, client)
        case .key(let key): return try await renew(request, key, active, client)
        }
    }

    // MARK: - Steps

    private func register(
        _ request: Request, _ cookie: Sensitive<String>, _ active: BrowserSessions.Active, _ client: ClientContext
    ) async throws(OpenIDRefusal) -> Answer {
        guard request.session == nil, let proof = request.proof else { return .ended }
        let verified: VerifiedJWS
        let key: BoundKey
        do throws(JOSEError) {
            verified = try CompactJWS(parsing: proof.reveal()).verifiedByCarriedKey()
            key = try BoundKey(verified.key, from: sessions.random)
        } catch {
            return refuse("\(error)", active, client)
        }
        guard Self.challenge(in: verified)?.hasSameOctets(as: Self.firstChallenge(cookie)) == true else {
            return refuse("it signs something else", active, client)
        }
        let session = active.session
        let isBound = try await sessions.transactions.transactionOrRefusal {
            transaction throws(ServerTransactionFailure) -> Bool in
            guard try transaction.lockUser(session.userID) != nil,
                try transaction.browserSession(session.cookie) == session
            else { return false }
            var bound = session
            bound.binding = .key(key)
            _ = try transaction.removeBrowserSession(session.id)
            try transaction.insert(bound)
            return true
        }
        return isBound ? answer(session.id, key) : .ended
    }

    private func renew(
        _ request: Request, _ key: BoundKey, _ active: BrowserSessions.Active, _ client: ClientContext
    ) async throws(OpenIDRefusal) -> Answer {
        let (session, now) = (active.session, sessions.clock.now())
        guard request.session?.hasSameOctets(as: session.id.text) == true else { return .ended }
        guard let proof = request.proof else { return .challenge(key.value(.challenge, at: now).text, session.id) }
        let verified: VerifiedJWS
        do throws(JOSEError) {
            verified = try CompactJWS(parsing: proof.reveal()).verified(by: try key.key)
        } catch {
            return refuse("\(error)", active, client)
        }
        guard let challenge = Self.challenge(in: verified), key.takes(challenge, as: .challenge, at: now) else {
            return .challenge(key.value(.challenge, at: now).text, session.id)
        }
        let hash = ClientAssertionHash(of: Array("DBSC\0\(session.id.text)\0\(challenge)".utf8))
        let isFirst = try await sessions.transactions.transactionOrRefusal {
            transaction throws(ServerTransactionFailure) in
            try transaction.remember(hash, until: now + BoundKey.Purpose.challenge.lifetime)
        }
        return isFirst ? answer(session.id, key) : refuse("it came before", active, client)
    }

    private func answer(_ session: BrowserSessionID, _ key: BoundKey) -> Answer {
        let (text, end) = key.value(.cookie, at: sessions.clock.now())
        return .bound(session, cookie: Sensitive(text), until: end)
    }

    /// The challenge that a proof has signed; nil for a JWT of another type.
    private static func challenge(in proof: VerifiedJWS) -> String? {
        guard proof.header.type?.lowercased().hasSameOctets(as: type) == true else { return nil }
        return (try? JWTClaims(payload: proof.payload))?.text("jti")
    }

    private func refuse(_ reason: String, _ active: BrowserSessions.Active, _ client: ClientContext) -> Answer {
        log.countUnsigned("proof of a session's key: \(reason)", from: client, user: active.user.id)
        return .ended
    }
}
