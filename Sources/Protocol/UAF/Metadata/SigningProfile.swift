/// An algorithm with the format of the keys it is used with.
public struct SigningProfile: Hashable, Sendable {
    /// How signatures are made.
    public let algorithm: AuthenticationAlgorithm
    /// How public keys are spelled.
    public let publicKeyFormat: PublicKeyFormat

    /// Pairs an algorithm with a key format.
    public init(algorithm: AuthenticationAlgorithm, publicKeyFormat: PublicKeyFormat) {
        self.algorithm = algorithm
        self.publicKeyFormat = publicKeyFormat
    }
}
