/// Where the keys of a vault lie; the raw value is what files record.
@nonexhaustive
public enum KeyProvider: UInt8, Hashable, Sendable {
    /// In a file that the operating system's access rights protect; a copy of the file is a copy of the keys.
    case software = 1
    /// In a TPM 2.0 chip.
    case trustedPlatformModule = 2
    /// In the Secure Enclave of an Apple device.
    case secureEnclave = 3

    /// Whether the keys lie in a chip that uses them but does not give them out.
    public var isSecureHardware: Bool { self != .software }
}
