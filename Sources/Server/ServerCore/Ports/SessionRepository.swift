/// The login sessions.
package protocol SessionRepository: Sendable {
    /// The session of a cookie with its owner, expired or not.
    func session(_ cookieHash: CookieHash) async throws(ServerError) -> OwnedSession?

    /// Adds a session; throws ``ServerError/unauthorized`` when its user is locked or gone.
    func add(_ session: Session, event: AuditEvent) async throws(ServerError)

    /// Ends a session; no session is no error.
    func remove(_ cookieHash: CookieHash) async throws(ServerError)

    /// Forgets some `limit` sessions that ended before `time`, and returns how many.
    func purge(before time: Timestamp, limit: Int) async throws(ServerError) -> Int
}
