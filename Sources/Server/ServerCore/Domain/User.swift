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

    /// Describes an account.
    package init(id: UserID, name: UserName, externalID: UserName, status: Status = .active, createdAt: Timestamp) {
        self.id = id
        self.name = name
        self.externalID = externalID
        self.status = status
        self.createdAt = createdAt
    }
}
