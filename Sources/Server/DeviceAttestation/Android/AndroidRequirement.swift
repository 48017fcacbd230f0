/// Statements of Android's key store that a server takes.
package struct AndroidRequirement: Hashable, Sendable {
    /// The registered key: an uncompressed point (65 bytes, X9.63).
    package var publicKey: [UInt8]
    /// The challenge that the statement has to carry: the digest of the final challenge.
    ///
    /// Nil where the key itself has signed the registration, as in full attestation. What the key may be used for is then
    /// the matter of its model.
    package var challenge: [UInt8]?
    /// The weakest place that is good enough; never software.
    package var securityLevel: AndroidSecurityLevel
    /// Names of packages whose keys are taken; empty takes every package.
    package var packages: Set<String> = []
    /// SHA-256 digests of the certificates that sign those packages; empty takes every signer.
    package var signers: Set<[UInt8]> = []
    /// Whether the device has to run what its maker has signed, with a locked loader.
    package var isVerifiedBootRequired = true
    /// Whether the hardware has to delete keys for good.
    package var isRollbackResistanceRequired = false
    /// The oldest security patches of the system, year and month as YYYYMM; nil takes all.
    package var oldestPatchLevel: Int?
    /// Serial numbers of revoked certificates, hexadecimal, as the status list of the maker of the system has them.
    package var revokedSerials: Set<String> = []

    package init(publicKey: [UInt8], challenge: [UInt8]?, securityLevel: AndroidSecurityLevel = .trustedEnvironment) {
        self.publicKey = publicKey
        self.challenge = challenge
        self.securityLevel = securityLevel
    }
}
