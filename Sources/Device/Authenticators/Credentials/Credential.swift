import Octets
package import UAF

/// One registered (or nearly registered) key, without its secrets.
package struct Credential: Hashable, Sendable {
    /// Model and KeyID.
    package let id: CredentialID
    /// Whose key it is, at which server.
    package let owner: CredentialOwner
    /// The application it was made for.
    package let appID: AppID
    /// The public key as SubjectPublicKeyInfo (DER).
    package let publicKey: [UInt8]
    /// When it was made, in seconds since 1970 by the device's clock.
    package let created: Int64
    /// How it signs.
    package internal(set) var algorithm = AuthenticationAlgorithm.secp256r1ECDSASHA256DER
    /// How strictly its user is verified; chosen at registration.
    package internal(set) var options = VerificationOptions()
    /// Where it stands.
    package internal(set) var state: CredentialState

    /// States what a credential is; commands make them, tests may.
    package init(
        id: CredentialID, owner: CredentialOwner, appID: AppID, publicKey: [UInt8], created: Int64,
        state: CredentialState
    ) {
        self.id = id
        self.owner = owner
        self.appID = appID
        self.publicKey = publicKey
        self.created = created
        self.state = state
    }
}

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

/// Where a credential stands between this device and its server.
package enum CredentialState: Hashable, Sendable {
    /// Its registration was sent, and the server's answer is not known.
    case pending
    /// The server accepted it.
    case active
    /// It exists but can never sign again: the server does not know it, or what protected it has changed.
    case unusable
}
