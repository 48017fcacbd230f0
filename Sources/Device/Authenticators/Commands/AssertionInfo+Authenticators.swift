import Crypto
import UAF

extension AssertionInfo {
    /// What every assertion of this package says about itself.
    init(mode: AuthenticationMode) {
        self.init(
            authenticatorVersion: AuthenticatorModel.version, mode: mode,
            signatureAlgorithm: .secp256r1ECDSASHA256DER)
    }
}

extension FinalChallengeParameters {
    /// SHA-256 over the text as it travels (FIDO UAF Protocol 1.1, 3.1.9).
    var hash: [UInt8] { Array(SHA256.hash(data: Array(encoded.utf8))) }
}
