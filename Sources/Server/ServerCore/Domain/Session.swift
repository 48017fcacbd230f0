/// A login session that a cookie stands for.
package struct Session: Sendable, Hashable {
    /// SHA-256 of the cookie's value; the value itself is nowhere stored.
    package let cookieHash: CookieHash
    /// The user who is logged in.
    package let userID: UserID
    /// How the user logged in.
    package let method: AuthenticationMethod
    /// When the user logged in.
    package let createdAt: Timestamp
    /// When the session ends, used or not.
    package let expiresAt: Timestamp

    /// Describes a session.
    package init(
        cookieHash: CookieHash, userID: UserID, method: AuthenticationMethod, createdAt: Timestamp, expiresAt: Timestamp
    ) {
        self.cookieHash = cookieHash
        self.userID = userID
        self.method = method
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }
}
