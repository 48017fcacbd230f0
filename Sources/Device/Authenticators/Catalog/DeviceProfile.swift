package import HardwareKeys
package import UAF

/// Which family of authenticator models a device presents to servers.
package enum DeviceProfile: CaseIterable, Hashable, Sendable {
    /// The models an iOS application has.
    case iOS
    /// The models an Android application has.
    case android
    /// The models of a Linux device whose keys lie in a trusted platform module.
    case linuxTPM
    /// The models of a Linux device whose keys lie in files.
    case linuxSoftware

    /// The model that stands for a kind of authenticator in this profile.
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

    /// The kind that a model stands for in this profile; nil for a model of somebody else.
    package func kind(of aaid: AAID) -> AuthenticatorKind? {
        AuthenticatorKind.allCases.first { self.aaid(of: $0) == aaid }
    }
}

extension AAID {
    /// The profile and kind that the model stands for; nil for a model of somebody else.
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
    /// The range nobody is registered for.
    fileprivate static let unregistered = VendorID(number: 0xFFFF)
}

extension DeviceProfile {
    /// What the metadata of a model says.
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

extension DeviceProfile {
    /// How an application is named to servers (FIDO AppID and Facets 1.1, 3.1); nil for a name that makes no facet.
    ///
    /// The name is the bundle identifier on iOS, the Base64 of the signing certificate's hash on Android, and the
    /// reverse domain name compiled into a Linux application. It is never taken from what a server sends.
    package func facetID(ofApplication name: String) -> FacetID? {
        FacetID(facetPrefix + name)
    }

    private var facetPrefix: String {
        switch self {
        case .iOS: "ios:bundle-id:"
        case .android: "android:apk-key-hash:"
        case .linuxTPM, .linuxSoftware: "linux:app-id:"
        }
    }
}
