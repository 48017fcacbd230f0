public import HardwareKeys

/// A TPM 2.0 chip as the place of an application's keys.
///
/// ```swift
/// let client = try await MobileAuthenticationClientInitializer()
///     .configuration(configuration)
///     .keyVault(.trustedPlatformModule())
///     .perform()
/// ```
public struct TrustedPlatformModule: KeyVaultSource {
    private let connection: TPMConnection

    /// A chip that is reached in one way.
    public init(_ connection: TPMConnection = .system) {
        self.connection = connection
    }

    /// Opens the vault in the folder `tpm-keys` of a directory, or makes it when there is none.
    ///
    /// Throws `KeyVaultError.hardwareUnavailable` when there is no chip or the account may not use it,
    /// `KeyVaultError.unrecoverable` when the chip was cleared or is another one, and the cases of
    /// ``TPMKeyVault/create(inDirectory:connection:)``.
    public func vault(inDirectory directory: String) async throws(KeyVaultError) -> any KeyVault {
        try await TPMKeyVault.openOrCreate(below: directory, connection: connection)
    }

    /// Destroys the vault that ``vault(inDirectory:)`` has made, with what it has taken of the memory of the chip.
    ///
    /// Throws what ``TPMKeyVault/destroy(inDirectory:connection:)`` throws.
    public func destroyVault(inDirectory directory: String) async throws(KeyVaultError) {
        try await TPMKeyVault.destroy(inDirectory: TPMKeyVault.path(below: directory), connection: connection)
    }
}

extension KeyVaultSource where Self == TrustedPlatformModule {
    /// The chip of this machine, or one that is reached in another way.
    public static func trustedPlatformModule(_ connection: TPMConnection = .system) -> TrustedPlatformModule {
        TrustedPlatformModule(connection)
    }
}
