import HardwareKeys

extension TPMKeyVault {
    private static let folder = "tpm-keys"

    /// Where the vault that belongs to a directory lies.
    package static func path(below directory: String) -> String { directory + "/" + folder }

    /// Opens the vault that belongs to a directory, or makes it when there is none.
    static func openOrCreate(
        below directory: String, connection: TPMConnection
    ) async throws(KeyVaultError) -> TPMKeyVault {
        let path = path(below: directory)
        do throws(KeyVaultError) {
            return try await open(inDirectory: path, connection: connection)
        } catch .notInitialized {
            do throws(KeyVaultError) {
                return try await create(inDirectory: path, connection: connection)
            } catch .alreadyInitialized {
                // Somebody else made it since.
                return try await open(inDirectory: path, connection: connection)
            }
        }
    }
}
