/// A login session that a cookie stands for.
package struct Session: Sendable, Hashable {
    /// SHA-256 of the cookie's value; the value itself is nowhere stored.
    package let cookieHash: CookieHash
    /// The user who is logged in.
    package let userID: UserID
    /// How the user logged in.
    package let method: AuthenticationMethod
    /// What the login rests on.
    package let evidence: RequestAuthorization.Evidence
    /// When the session began.
    package let createdAt: Timestamp
    /// When the session ends, used or not.
    package let expiresAt: Timestamp

    /// Describes a session.
    package init(
        cookieHash: CookieHash, userID: UserID, method: AuthenticationMethod,
        evidence: RequestAuthorization.Evidence, createdAt: Timestamp, expiresAt: Timestamp
    ) {
        self.cookieHash = cookieHash
        self.userID = userID
        self.method = method
        self.evidence = evidence
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }
}
