/// The login sessions.
package protocol SessionRepository: Sendable {
    /// The session of a cookie with its owner, expired or not.
    ///
    /// Nil also for a session that was made with registrations of which none is an active credential of the owner.
    func session(_ cookieHash: CookieHash) async throws(ServerError) -> OwnedSession?

    /// Adds a session; throws ``ServerError/unauthorized`` when its user is locked or gone, or the logins of its time
    /// have been ended.
    func add(_ session: Session, event: AuditEvent) async throws(ServerError)

    /// Ends a session; no session is no error and no record.
    func remove(_ cookieHash: CookieHash, event: AuditEvent) async throws(ServerError)

    /// Forgets some `limit` sessions that ended before `time`, and returns how many.
    func purge(before time: Timestamp, limit: Int) async throws(ServerError) -> Int
}
