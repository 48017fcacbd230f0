import ArgumentParser
import CommandSupport
import SecureStorage
import StrictJSON

struct StorageWrite: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "write", abstract: "Write a storage under new keys, for another fingerprint or passphrase.")

    @OptionGroup var storage: StorageOptions
    @OptionGroup var key: StorageKeyOptions

    @Option(help: ArgumentHelp("A file that holds the new device fingerprint.", valueName: "FILE"))
    var newFingerprintFile: String?

    @Flag(help: "Write without a device fingerprint.")
    var noFingerprint = false

    @Option(help: ArgumentHelp("A file that holds the new passphrase.", valueName: "FILE"))
    var newPassphraseFile: String?

    @Flag(help: "Write without a passphrase.")
    var noPassphrase = false

    func validate() throws {
        guard !noFingerprint || newFingerprintFile == nil, !noPassphrase || newPassphraseFile == nil else {
            throw ValidationError("Give a new one, or none, not both.")
        }
    }

    func run() async throws {
        try await storage.report {
            let opened = try await key.openExisting(storage)
            if newPassphraseFile != nil || noPassphrase {
                try await opened.write(
                    passphrase: try newPassphraseFile.map { .init(copying: try SecretFile(path: $0).octets()) })
            }
            if newFingerprintFile != nil || noFingerprint {
                try await opened.write(
                    fingerprint: try newFingerprintFile.map { try SecretFile(path: $0).text() },
                    protection: opened.protection)
            } else {
                try await opened.write(protection: opened.protection)
            }
            return CommandReport.Outcome(
                text: "The storage \(storage.name) is written under new keys.",
                result: JSONObject(["name": .string(storage.name), "entryCount": .integer(opened.count)]))
        }
    }
}
