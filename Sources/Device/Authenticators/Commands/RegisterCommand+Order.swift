package import UAF

extension RegisterCommand {
    /// What a key is made for.
    package struct Order: Hashable, Sendable {
        /// Which authenticator.
        package let model: AuthenticatorModel
        /// Whose key it will be.
        package let owner: CredentialOwner
        /// Who may use it.
        package let access: KeyAccess
        /// What the attestation signs.
        package let challenge: FinalChallengeParameters
        /// How strictly the operating system verifies the user; PIN and password take no notice.
        package var options: VerificationOptions
        /// What the key is made of: P-256 with DER signatures, or RSA with PKCS#1 v1.5 in DER (algorithm 9).
        package var algorithm: AuthenticationAlgorithm
        /// How to vouch; only surrogate attestation is possible.
        package var attestation = AttestationType.basicSurrogate

        /// Orders a key.
        package init(
            model: AuthenticatorModel, owner: CredentialOwner, access: KeyAccess,
            challenge: FinalChallengeParameters, options: VerificationOptions = VerificationOptions(),
            algorithm: AuthenticationAlgorithm = .secp256r1ECDSASHA256DER
        ) {
            self.model = model
            self.owner = owner
            self.access = access
            self.challenge = challenge
            self.options = options
            self.algorithm = algorithm
        }
    }
}
