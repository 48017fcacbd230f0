/// Scope of an authorization (RFC 6749, 3.3); others are ignored.
package enum ScopeName: String, Sendable, Hashable, CaseIterable {
    case openID = "openid"
    /// The name by which the user logs in, the names of the person and the locale.
    case profile
    /// The e-mail address and whether it is verified.
    case email
    case groups
    /// A refresh token, for clients that may have one.
    case offlineAccess = "offline_access"
}

extension ScopeName {
    /// Scopes that tell a client about a person: a client gets those that the operator permits it.
    package static let ofAttributes: Set<ScopeName> = [.profile, .email, .groups]
    /// Which scopes a client is permitted, in words.
    package static let rule =
        "one of profile, email and groups; every client has openid, and the setting refresh gives offline_access"
    /// Scopes that a new client may have, unless the operator says otherwise: what stock libraries ask for.
    package static let ofNewClients: Set<ScopeName> = [.profile, .email]

    /// Scopes as one text with spaces between them (RFC 6749, 3.3), always in the same order.
    package static func text(_ scopes: Set<ScopeName>) -> String {
        allCases.filter(scopes.contains).map(\.rawValue).joined(separator: " ")
    }

    package static func set(stored text: String) -> Set<ScopeName>? {
        let names = text.split(separator: " ")
        let scopes = names.compactMap { ScopeName(rawValue: String($0)) }
        return scopes.count == names.count ? Set(scopes) : nil
    }
}
