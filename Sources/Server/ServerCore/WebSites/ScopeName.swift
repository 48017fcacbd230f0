/// Scope of an authorization (RFC 6749, 3.3); others are ignored.
package enum ScopeName: String, Sendable, Hashable, CaseIterable {
    case openID = "openid"
    /// `preferred_username` in ID token and userinfo.
    case profile
    /// A refresh token, for clients that may have one.
    case offlineAccess = "offline_access"
}
