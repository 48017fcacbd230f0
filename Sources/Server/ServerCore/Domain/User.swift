package import UAF

/// An account at the relying party.
package struct User: Sendable, Hashable {
    /// Whether the account may be used.
    package enum Status: String, Sendable, Hashable, CaseIterable {
        /// The user may register and authenticate.
        case active
        /// An administrator has locked the account; nothing succeeds until it is unlocked.
        case locked
    }

    /// The identity that never changes.
    package let id: UserID
    /// The name the user logs in with, unique.
    package let name: UserName
    /// The name other systems know the user by, unique; the `sub` of tokens.
    package let externalID: UserName
    /// Whether the account may be used.
    package let status: Status
    /// When the account was made.
    package let createdAt: Timestamp
    /// Logins from before this time do not hold any more.
    ///
    /// It only grows: with a lock, a new password, the removal of a key or device by an administrator, and the end of
    /// all sessions.
    package let notBefore: Timestamp

    /// Describes an account.
    package init(
        id: UserID, name: UserName, externalID: UserName, status: Status = .active, createdAt: Timestamp,
        notBefore: Timestamp = Timestamp(milliseconds: 0)
    ) {
        self.id = id
        self.name = name
        self.externalID = externalID
        self.status = status
        self.createdAt = createdAt
        self.notBefore = notBefore
    }

    /// The time of a login of this user that happens now.
    ///
    /// Clocks of processes differ and may be set back: a login that follows the end of all others holds in any case.
    package func authenticationTime(at now: Timestamp) -> Timestamp { max(now, notBefore) }
}
