package import HardwareKeys

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
