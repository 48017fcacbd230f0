import ArgumentParser
import CommandSupport
import Foundation
import HardwareKeys
import HardwareKeysTPM
import SecureStorage
import StrictJSON

struct StorageCreate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "create", abstract: "Make an empty storage.")

    @OptionGroup var storage: StorageOptions
    @OptionGroup var key: StorageKeyOptions

    func run() async throws {
        try await storage.report {
            let place = SecureStorage.Configuration(hardware: .none, directory: storage.directory)
            guard !SecureStorage.exists(fileName: storage.name, configuration: place) else {
                throw CommandFailure.local("StorageExists", "there is a storage \(storage.name) already")
            }
            let opened = try await key.open(storage)
            try await opened.write()
            return CommandReport.Outcome(
                text: "The storage \(storage.name) is in \(storage.directory).\n\(opened.protectionStatement.text)",
                result: JSONObject([
                    "name": .string(storage.name), "directory": .string(storage.directory),
                    "hardware": .bool(opened.isSecureHardwareProtected),
                    "protectionStatement": .string(opened.protectionStatement.text),
                ]))
        }
    }
}

struct StorageDelete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a storage without asking; its values cannot be recovered.")

    @OptionGroup var storage: StorageOptions

    @Flag(help: "Strike an anchored storage out of the ledger of its chip.")
    var rollbackAnchor = false

    @Option(help: ArgumentHelp("The connection to the chip, with --rollback-anchor.", valueName: "TCTI"))
    var tcti: String?

    func validate() throws {
        guard rollbackAnchor || tcti == nil else { throw ValidationError("--tcti goes with --rollback-anchor.") }
    }

    func run() async throws {
        try await storage.report {
            let configuration = try await configuration()
            do throws(SecureStorageError) {
                try await SecureStorage.delete(fileName: storage.name, configuration: configuration)
            } catch {
                guard error == .configurationInvalid else { throw error }
                throw CommandFailure.local(
                    "ConfigurationInvalid", "the storage may be anchored: delete it with --rollback-anchor")
            }
            return CommandReport.Outcome(
                text: "The storage \(storage.name) is deleted.", result: JSONObject(["name": .string(storage.name)]))
        }
    }

    private func configuration() async throws -> SecureStorage.Configuration {
        guard rollbackAnchor else {
            return SecureStorage.Configuration(hardware: .none, directory: storage.directory)
        }
        var configuration = try await SecureStorage.Configuration(
            trustedPlatformModule: tcti.map { TPMConnection($0) } ?? .system, directory: storage.directory)
        configuration.rollbackAnchor = true
        return configuration
    }
}

struct StorageDestroy: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "destroy",
        abstract: "Destroy all storages of a directory and their keys without asking; nothing can be recovered.",
        discussion: """
            Do not just remove the directory: the counter of its vault would stay in the TPM, which has room for about two \
            dozen.
            """)

    @Option(help: ArgumentHelp("The directory of the storages, mode 0700.", valueName: "DIR"))
    var directory: String

    @Option(help: ArgumentHelp("The connection to the chip.", valueName: "TCTI"))
    var tcti: String?

    @Option(help: "Output format: text or json.")
    var format = OutputFormat.text

    func run() async throws {
        try await CommandReport(program: .phone, format: format).run {
            // The keys are deleted first: without them the files are unreadable, so that a crash leaves nothing
            // readable.
            let hadVault = try await destroyVault()
            let storages = try removeStorages()
            guard hadVault || !storages.isEmpty else {
                throw CommandFailure.local("NoStorages", "\(directory) holds no storages")
            }
            let others = try removeDirectory()
            let rest = others ? " Other files in it stay." : ""
            return CommandReport.Outcome(
                text: "\(storages.count) storages in \(directory) are destroyed.\(rest)",
                result: JSONObject([
                    "directory": .string(directory), "storages": .array(storages.map { .string($0) }),
                    "vault": .bool(hadVault),
                ]))
        }
    }

    private func destroyVault() async throws -> Bool {
        guard FileManager.default.fileExists(atPath: directory + "/tpm-keys") else { return false }
        do throws(KeyVaultError) {
            let chip = TrustedPlatformModule(tcti.map { TPMConnection($0) } ?? .system)
            try await chip.destroyVault(inDirectory: directory)
        } catch {
            guard error == .notInitialized else { throw CommandFailure(keys: error) }
        }
        try FileManager.default.removeItem(atPath: directory + "/tpm-keys")
        return true
    }

    /// Deletes storages, ledger, locks and leftovers of a crash; returns the names of the storages.
    private func removeStorages() throws -> [String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: directory)
        for name in names where [".sst", ".sst.new", ".lock"].contains(where: name.hasSuffix) {
            try FileManager.default.removeItem(atPath: directory + "/" + name)
        }
        return names.filter { $0.hasSuffix(".sst") && !$0.hasPrefix(".") }.map { String($0.dropLast(4)) }.sorted()
    }

    /// Deletes the directory unless it holds files of others; true when it does.
    private func removeDirectory() throws -> Bool {
        guard try FileManager.default.contentsOfDirectory(atPath: directory).isEmpty else { return true }
        try FileManager.default.removeItem(atPath: directory)
        return false
    }
}
