import UAF

extension AssertionInfo {
    /// What every assertion of this package says about itself.
    init(mode: AuthenticationMode) {
        self.init(
            authenticatorVersion: AuthenticatorModel.version, mode: mode,
            signatureAlgorithm: .secp256r1ECDSASHA256DER)
    }
}
