import Octets
package import UAF

/// A user at a server.
package struct CredentialOwner: Hashable, Sendable {
    /// Name of the user.
    package let user: UserName
    /// Base URL of the server, compared byte by byte.
    package let server: String

    /// Names a user at a server.
    package init(user: UserName, server: String) {
        self.user = user
        self.server = server
    }

    package static func == (one: CredentialOwner, other: CredentialOwner) -> Bool {
        one.user == other.user && one.server.hasSameOctets(as: other.server)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(user)
        for octet in server.utf8 { hasher.combine(octet) }
    }
}
