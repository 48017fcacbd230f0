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
