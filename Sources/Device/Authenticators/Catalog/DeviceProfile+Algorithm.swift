package import HardwareKeys
package import UAF

extension DeviceProfile {
    /// What keys of the profile can be made of, the usual one first.
    ///
    /// Android applications in the field have both; RSA keys are made only where keys lie in software.
    package func algorithms(keysIn provider: KeyProvider) -> [AuthenticationAlgorithm] {
        guard self == .android, provider == .software else { return [.secp256r1ECDSASHA256DER] }
        return [.secp256r1ECDSASHA256DER, .rsaPKCS1SHA256DER]
    }

    /// What a new key is made of: P-256, unless the criteria of the server list RSA and not P-256, or the application
    /// wants RSA.
    ///
    /// `accepted` nil means that the criteria name no algorithm. A profile without RSA makes P-256 keys.
    package func algorithm(
        acceptedBy accepted: [AuthenticationAlgorithm]?, prefersRSA: Bool = false, keysIn provider: KeyProvider
    ) -> AuthenticationAlgorithm {
        let possible = algorithms(keysIn: provider)
        guard possible.contains(.rsaPKCS1SHA256DER) else { return .secp256r1ECDSASHA256DER }
        guard let accepted else { return prefersRSA ? .rsaPKCS1SHA256DER : .secp256r1ECDSASHA256DER }
        let isRSAListed = accepted.contains(.rsaPKCS1SHA256DER)
        let isECListed = accepted.contains(.secp256r1ECDSASHA256DER)
        return isRSAListed && (prefersRSA || !isECListed) ? .rsaPKCS1SHA256DER : .secp256r1ECDSASHA256DER
    }
}
