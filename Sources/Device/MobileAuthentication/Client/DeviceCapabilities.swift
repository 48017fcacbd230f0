package import HardwareKeys

/// Key protection that the device offers.
public struct DeviceCapabilities: Hashable, Sendable, Encodable {
    /// Storage of the authenticators' keys.
    public enum KeyProtection: String, Hashable, Sendable, Encodable {
        /// In the Secure Enclave of an Apple device.
        case secureEnclave
        /// In a TPM 2.0.
        case tpm
        /// In software: an attacker who can read memory and disk of the device can copy them.
        case software
    }

    /// Storage of the authenticators' keys, which decides who can copy them.
    public let keyProtection: KeyProtection

    /// Reason why the keys can be copied, for the developers of the application; nil when they are in secure hardware.
    ///
    /// With ``KeyVaultChoice/preferHardware`` it identifies a device without such hardware.
    public let keyVaultWarning: String?

    /// Whether the keys are in hardware that does not export them.
    public var isProtectedBySecureHardware: Bool { keyProtection != .software }

    package init(keyProtection: KeyProtection, keyVaultWarning: String? = nil) {
        self.keyProtection = keyProtection
        self.keyVaultWarning = keyVaultWarning
    }
}

extension DeviceCapabilities.KeyProtection {
    package init(_ provider: KeyProvider) {
        self =
            switch provider {
            case .trustedPlatformModule: .tpm
            case .secureEnclave: .secureEnclave
            case .software: .software
            @unknown default: .software
            }
    }
}
