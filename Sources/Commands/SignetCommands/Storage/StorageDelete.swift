import ArgumentParser
import HardwareKeysTPM
import SecureStorage
import StrictJSON

/// `signet storage delete`: a storage less.
struct StorageDelete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Deletes a storage; nothing is asked and nothing comes back.")

    @OptionGroup var storage: StorageOptions

    @Flag(help: "Strike an anchored storage out of the ledger of its chip.")
    var rollbackAnchor = false

    @Option(help: ArgumentHelp("How the chip is reached, with --rollback-anchor.", valueName: "TCTI"))
    var tcti: String?

    func validate() throws {
        guard rollbackAnchor || tcti == nil else { throw ValidationError("--tcti goes with --rollback-anchor.") }
    }

    func run() async throws {
        try await storage.report {
            var configuration = SecureStorage.Configuration(hardware: .none, directory: storage.directory)
            if rollbackAnchor {
                configuration = try await SecureStorage.Configuration(
                    trustedPlatformModule: tcti.map { TPMConnection($0) } ?? .system, directory: storage.directory)
                configuration.rollbackAnchor = true
            }
            do throws(SecureStorageError) {
                try await SecureStorage.delete(fileName: storage.name, configuration: configuration)
            } catch .configurationInvalid {
                throw CommandFailure.local(
                    "ConfigurationInvalid", "the storage may be anchored: delete it with --rollback-anchor")
            }
            return CommandReport.Outcome(
                text: "The storage \(storage.name) is deleted.", result: JSONObject(["name": .string(storage.name)]))
        }
    }
}
