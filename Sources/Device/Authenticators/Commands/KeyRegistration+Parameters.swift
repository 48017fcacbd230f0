package import UAF

extension KeyRegistration {
    /// Parameters of a key registration.
    package struct Parameters: Hashable, Sendable {
        package let model: LocalAuthenticator
        package let owner: CredentialOwner
        /// Application and caller that may use the key.
        package let access: KeyAccess
        /// Final challenge parameters whose hash the attestation signs.
        package let challenge: FinalChallengeParameters
        /// Strictness of the verification by the operating system; ignored for PIN and password.
        package var options: VerificationOptions
        /// Signature algorithm of the key: P-256 with DER signatures, or RSA with PKCS#1 v1.5 in DER (algorithm 9).
        package var algorithm: AuthenticationAlgorithm
        /// Attestation type; only surrogate attestation is possible.
        package var attestation = AttestationType.basicSurrogate

        package init(
            model: LocalAuthenticator, owner: CredentialOwner, access: KeyAccess,
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
