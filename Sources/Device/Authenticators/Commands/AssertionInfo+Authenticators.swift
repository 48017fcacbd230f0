import UAF

extension AssertionInfo {
    /// What every assertion of this package says about itself.
    init(mode: AuthenticationMode, _ algorithm: AssertionAlgorithm) {
        self.init(
            authenticatorVersion: AuthenticatorModel.version, mode: mode,
            signatureAlgorithm: algorithm.profile.algorithm)
    }
}
