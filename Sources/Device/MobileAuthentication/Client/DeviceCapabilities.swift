package import HardwareKeys

/// What the device offers to protect keys.
public struct DeviceCapabilities: Hashable, Sendable, Encodable {
    /// Where the keys of the authenticators live.
    public enum KeyProtection: String, Hashable, Sendable, Encodable {
        /// In the Secure Enclave of an Apple device.
        case secureEnclave
        /// In a TPM 2.0.
        case tpm
        /// In software: whoever reads memory and disk of the device can copy them.
        case software
    }

    /// Where the keys of the authenticators live.
    public let keyProtection: KeyProtection

    /// Whether the keys live in hardware that does not give them away.
    public var isProtectedBySecureHardware: Bool { keyProtection != .software }

    package init(keyProtection: KeyProtection) {
        self.keyProtection = keyProtection
    }
}

extension DeviceCapabilities.KeyProtection {
    /// What the provider of a vault means for an application.
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
