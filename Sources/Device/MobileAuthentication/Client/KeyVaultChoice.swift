/// Where the keys of the authenticators shall live.
public enum KeyVaultChoice: String, Hashable, Sendable {
    /// In the secure hardware of the platform: the Secure Enclave on Apple platforms, the TPM on Linux.
    ///
    /// Without it the initializer ends with ``InitializationError/HardwareError(cause:)``, whose `recoverySuggestion`
    /// names the ways out.
    case platform
    /// In the secure hardware of the platform where there is some, otherwise in software as with ``software``.
    ///
    /// It is decided once: a folder keeps the kind of keys that it began with. Software keys are told by a warning in the
    /// log and by ``MetaData/keyVaultWarning``.
    case preferHardware
    /// In software, encrypted on disk with a key that lies beside them: whoever copies the folder can try PINs.
    case software
}
