/// Scope of an authorization (RFC 6749, 3.3); others are ignored.
package enum ScopeName: String, Sendable, Hashable, CaseIterable {
    case openID = "openid"
    /// `preferred_username` in ID token and userinfo.
    case profile
    /// A refresh token, for clients that may have one.
    case offlineAccess = "offline_access"
}

extension ScopeName {
    /// Scopes as one text with spaces between them (RFC 6749, 3.3), always in the same order.
    package static func text(_ scopes: Set<ScopeName>) -> String {
        allCases.filter(scopes.contains).map(\.rawValue).joined(separator: " ")
    }

    /// Reads what ``text(_:)`` wrote; nil for a scope that there is not.
    package static func set(stored text: String) -> Set<ScopeName>? {
        let names = text.split(separator: " ")
        let scopes = names.compactMap { ScopeName(rawValue: String($0)) }
        return scopes.count == names.count ? Set(scopes) : nil
    }
}
