import ArgumentParser
import CommandSupport
import SecureStorage
import StrictJSON

struct StorageWrite: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "write", abstract: "Write a storage under new keys, and for another fingerprint.")

    @OptionGroup var storage: StorageOptions
    @OptionGroup var key: StorageKeyOptions

    @Option(help: ArgumentHelp("A file that holds the new device fingerprint.", valueName: "FILE"))
    var newFingerprintFile: String?

    func run() async throws {
        try await storage.report {
            let opened = try await key.openExisting(storage)
            if let newFingerprintFile {
                try await opened.write(
                    fingerprint: try SecretFile(path: newFingerprintFile).text(), protection: opened.protection)
            } else {
                try await opened.write(protection: opened.protection)
            }
            return CommandReport.Outcome(
                text: "The storage \(storage.name) is written under new keys.",
                result: JSONObject(["name": .string(storage.name), "entryCount": .integer(opened.count)]))
        }
    }
}
