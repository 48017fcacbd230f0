package import HardwareKeys
package import UAF

/// Family of authenticator models that a device presents to servers.
package enum DeviceProfile: CaseIterable, Hashable, Sendable {
    case iOS
    case android
    case linuxTPM
    /// Models of a Linux device with keys in files.
    case linuxSoftware

    package func aaid(of kind: AuthenticatorKind) -> AAID {
        let number: UInt16 =
            switch kind {
            case .pin: 1
            case .fingerprint: 2
            case .faceRecognition: 3
            case .devicePasscode: 4
            case .password: 5
            }
        return switch self {
        case .android: AAID(vendor: .establishedProduct, model: number)
        case .iOS: AAID(vendor: .establishedProduct, model: 0x1000 + number)
        case .linuxTPM: AAID(vendor: .unregistered, model: 0x2000 + number)
        case .linuxSoftware: AAID(vendor: .unregistered, model: 0x2100 + number)
        }
    }

    package func kind(of aaid: AAID) -> AuthenticatorKind? {
        AuthenticatorKind.allCases.first { self.aaid(of: $0) == aaid }
    }
}

extension AAID {
    var authenticator: (profile: DeviceProfile, kind: AuthenticatorKind)? {
        for profile in DeviceProfile.allCases {
            if let kind = profile.kind(of: self) { return (profile, kind) }
        }
        return nil
    }
}

extension VendorID {
    /// The vendor whose metadata servers in the field know.
    fileprivate static let establishedProduct = VendorID(number: 0xF1D0)
    /// The range that is registered for no vendor.
    fileprivate static let unregistered = VendorID(number: 0xFFFF)
}

extension DeviceProfile {
    /// Characteristics of a model as stated in its metadata.
    ///
    /// For the two established families it is what servers in the field have, on any device that presents them. The two
    /// Linux families tell the truth: keys in a TPM or in software, and a matcher that is software in both.
    func characteristics(of kind: AuthenticatorKind, keysIn provider: KeyProvider) -> AuthenticatorCharacteristics {
        var characteristics = AuthenticatorCharacteristics(
            authenticationAlgorithms: algorithms(keysIn: provider), userVerification: userVerification(of: kind),
            keyProtection: keyProtection(of: kind), matcherProtection: .software)
        if self == .iOS || self == .android, !kind.isVerifiedByApplication {
            characteristics.matcherProtection = .trustedExecution
        }
        characteristics.transactionConfirmationDisplay = .any
        return characteristics
    }

    private func userVerification(of kind: AuthenticatorKind) -> UserVerification {
        switch (kind, self) {
        case (.faceRecognition, .android): [.fingerprint, .voiceprint, .faceprint, .eyeprint, .handprint]
        case (.devicePasscode, .android): [.passcode, .pattern]
        case (.fingerprint, _): .fingerprint
        case (.faceRecognition, _): .faceprint
        case (.pin, _), (.devicePasscode, _), (.password, _): .passcode
        }
    }

    private func keyProtection(of kind: AuthenticatorKind) -> KeyProtection {
        switch self {
        case .linuxSoftware: .software
        case .linuxTPM: .hardware
        case .iOS: kind.isVerifiedByApplication ? .software : [.hardware, .trustedExecution]
        case .android: kind.isVerifiedByApplication ? .software : .trustedExecution
        }
    }
}

extension DeviceProfile {
    /// Signature algorithms available for keys of the profile, the preferred one first.
    ///
    /// Android applications in the field have both; RSA keys are made only where keys lie in software.
    package func algorithms(keysIn provider: KeyProvider) -> [AuthenticationAlgorithm] {
        guard self == .android, provider == .software else { return [.secp256r1ECDSASHA256DER] }
        return [.secp256r1ECDSASHA256DER, .rsaPKCS1SHA256DER]
    }

    /// Signature algorithm of a new key: P-256, unless the criteria of the server list RSA and not P-256, or the
    /// application wants RSA.
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

extension DeviceProfile {
    /// FacetID of an application (FIDO AppID and Facets 1.1, section 3.1); nil for a name that makes no facet.
    ///
    /// The name is the bundle identifier on iOS, the Base64 of the signing certificate's hash on Android, and the
    /// reverse domain name compiled into a Linux application. It is never taken from what a server sends.
    package func facetID(ofApplication name: String) -> FacetID? { FacetID(facetPrefix + name) }

    private var facetPrefix: String {
        switch self {
        case .iOS: "ios:bundle-id:"
        case .android: "android:apk-key-hash:"
        case .linuxTPM, .linuxSoftware: "linux:app-id:"
        }
    }
}
