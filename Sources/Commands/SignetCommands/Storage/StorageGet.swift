import ArgumentParser
import Octets
import SecureStorage
import StrictJSON

/// `signet storage get`: one value of a storage, on standard output.
struct StorageGet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Prints the value of a name: text as it is, bytes in hexadecimal.")

    @OptionGroup var storage: StorageOptions
    @OptionGroup var key: StorageKeyOptions

    @Option(help: ArgumentHelp("The name of the entry.", valueName: "NAME"))
    var entry: String

    func run() async throws {
        try await storage.report {
            let opened = try await key.openExisting(storage)
            let (type, text) = try Self.described(opened, entry)
            return CommandReport.Outcome(
                text: text,
                result: JSONObject([
                    "name": .string(storage.name), "entry": .string(entry), "type": .string(type),
                    "value": .string(text),
                ]))
        }
    }

    private static func described(
        _ storage: SecureStorage, _ entry: String
    ) throws(SecureStorageError) -> (type: String, text: String) {
        do {
            return ("string", try storage.getString(forKey: entry))
        } catch .incorrectGetter {
            return ("bytes", Hex.encode(try storage.getBytes(forKey: entry)))
        }
    }
}
