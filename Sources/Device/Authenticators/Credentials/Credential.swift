import Octets
package import UAF

/// Registered (or nearly registered) key, without its secrets.
package struct Credential: Hashable, Sendable {
    package let id: CredentialID
    package let owner: CredentialOwner
    package let appID: AppID
    /// The public key as SubjectPublicKeyInfo (DER).
    package let publicKey: [UInt8]
    /// Creation time in seconds since 1970, by the device's clock.
    package let created: Int64
    package internal(set) var algorithm = AuthenticationAlgorithm.secp256r1ECDSASHA256DER
    /// Strictness of the user verification, chosen at registration.
    package internal(set) var options = VerificationOptions()
    /// Whether the server has announced that it judges the server binding: a signature with the key has stated one.
    package internal(set) var statesServer = false
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
    package let user: UserName
    /// Base URL of the server, compared byte by byte.
    package let server: String

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

/// Lifecycle state of a credential between this device and its server.
package enum CredentialState: Hashable, Sendable {
    /// Its registration was sent, and the server's answer is not known.
    case pending
    /// The server accepted it.
    case active
    /// It exists but can never sign again: the server does not know it, or what protected it has changed.
    case unusable
}
