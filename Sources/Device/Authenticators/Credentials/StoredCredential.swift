import UAF

/// A credential with what belongs to it and never leaves this module.
struct StoredCredential: Hashable, Sendable {
    var credential: Credential
    /// Who may use the key.
    let accessToken: AccessToken
    /// The sealed key.
    var pinRecord: PINRecord
    /// Wrong PINs so far.
    var lockout: LockoutState
}
