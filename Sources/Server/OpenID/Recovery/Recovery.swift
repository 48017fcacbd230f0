package import ServerCore

/// Way back of a user who has no phone any more: a wait, and then a page that removes phones and invites a new one.
package struct Recovery: Sendable, Hashable {
    package let userID: UserID
    /// Cookie of the browser that shows it; nil until a browser has taken it up.
    package var cookie: RecoveryCookieHash?
    /// Code that takes it up, once; nil where the browser that began it has the cookie.
    package var code: RecoveryCodeHash?
    package let begunAt: Timestamp
    /// End of the wait.
    package let opensAt: Timestamp
    package let expiresAt: Timestamp
    /// Time up to which the logins of the user may have been ended; an end after it ends the recovery as well.
    package var holdsSince: Timestamp
    /// Invitation that was shown last.
    package var ceremony: CeremonyID?

    package init(
        userID: UserID, cookie: RecoveryCookieHash?, code: RecoveryCodeHash?, begunAt: Timestamp, opensAt: Timestamp,
        expiresAt: Timestamp, holdsSince: Timestamp, ceremony: CeremonyID? = nil
    ) {
        self.userID = userID
        self.cookie = cookie
        self.code = code
        self.begunAt = begunAt
        self.opensAt = opensAt
        self.expiresAt = expiresAt
        self.holdsSince = holdsSince
        self.ceremony = ceremony
    }

    package func isOpen(at now: Timestamp) -> Bool { opensAt <= now }
}

extension RecoverySnapshot where Self: ServerSnapshot {
    /// User of a recovery that holds at `now`; nil for one that is over.
    ///
    /// It ends with its time, with a lock, with every end of the user's logins, and with a key that was registered since.
    package func user(of recovery: Recovery, at now: Timestamp) throws(ServerTransactionFailure) -> User? {
        guard now < recovery.expiresAt, let holder = try holder(recovery.userID), holder.user.status == .active,
            holder.user.notBefore <= recovery.holdsSince,
            !holder.credentials.contains(where: { $0.registeredAt > recovery.begunAt })
        else { return nil }
        return holder.user
    }
}
