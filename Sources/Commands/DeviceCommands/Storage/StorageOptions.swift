import ArgumentParser
import CommandSupport
import HardwareKeys
import HardwareKeysTPM
import SecureStorage

struct StorageOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("The name of the storage.", valueName: "NAME"))
    var name: String

    @Option(help: ArgumentHelp("The directory of the storages, mode 0700.", valueName: "DIR"))
    var directory: String

    @Option(help: "Output format: text or json.")
    var format = OutputFormat.text

    func report(_ body: () async throws -> CommandReport.Outcome) async throws {
        try await CommandReport(program: .phone, format: format).run {
            do {
                try GuardedProcess.requireUntouched()
                return try await body()
            } catch let error as SecureStorageError {
                throw CommandFailure(error)
            }
        }
    }
}

struct StorageKeyOptions: ParsableArguments {
    enum Keys: String, ExpressibleByArgument, CaseIterable {
        case tpm
        /// A file, which is only as safe as the account that owns it.
        case software
    }

    @Option(help: "What protects the key of the storage: tpm or software; nothing is chosen silently.")
    var keys: Keys

    @Option(help: ArgumentHelp("The connection to the chip, with --keys tpm.", valueName: "TCTI"))
    var tcti: String?

    @Flag(help: "Refuse older copies of the file by a counter of the chip, with --keys tpm.")
    var rollbackAnchor = false

    @Option(help: ArgumentHelp("A file that holds the device fingerprint.", valueName: "FILE"))
    var fingerprintFile: String?

    @Option(help: ArgumentHelp("A file that holds a passphrase.", valueName: "FILE"))
    var passphraseFile: String?

    func validate() throws {
        guard keys == .tpm || (tcti == nil && !rollbackAnchor) else {
            throw ValidationError("--tcti and --rollback-anchor go with --keys tpm.")
        }
    }

    func open(_ storage: StorageOptions, givingUpLost: Bool = false) async throws -> SecureStorage {
        var configuration = SecureStorage.Configuration(hardware: .none, directory: storage.directory)
        if keys == .tpm {
            configuration.hardware = .required
            configuration.vault = try await vault(in: storage.directory)
        }
        configuration.rollbackAnchor = rollbackAnchor
        configuration.givesUpLostEntries = givingUpLost
        configuration.passphrase = try passphraseFile.map {
            SecureStorage.Passphrase(copying: try SecretFile(path: $0).octets())
        }
        let fingerprint = try fingerprintFile.map { try SecretFile(path: $0).text() }
        return try await SecureStorage.createSecureStorage(
            fileName: storage.name, fingerprint: fingerprint, configuration: configuration)
    }

    /// Opens the vault here, because to a storage a chip that is owned or full is only unavailable.
    private func vault(in directory: String) async throws -> any KeyVault {
        let chip = TrustedPlatformModule(tcti.map { TPMConnection($0) } ?? .system)
        do throws(KeyVaultError) {
            return try await chip.vault(inDirectory: directory)
        } catch {
            switch error {
            case .ownerAuthorizationRequired, .hardwareFull, .hardwareOccupied: throw CommandFailure(keys: error)
            default: throw SecureStorageError(vault: error)
            }
        }
    }

    func openExisting(_ storage: StorageOptions, givingUpLost: Bool = false) async throws -> SecureStorage {
        let configuration = SecureStorage.Configuration(hardware: .none, directory: storage.directory)
        _ = try SecureStorage.inspect(fileName: storage.name, configuration: configuration)
        return try await open(storage, givingUpLost: givingUpLost)
    }
}
