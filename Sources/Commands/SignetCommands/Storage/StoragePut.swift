import ArgumentParser
import SecureStorage
import StrictJSON

/// `signet storage put`: one value into a storage, for good.
struct StoragePut: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "put", abstract: "Puts a value from a file or from standard input under a name.")

    @OptionGroup var storage: StorageOptions
    @OptionGroup var key: StorageKeyOptions

    @Option(help: ArgumentHelp("The name of the entry.", valueName: "NAME"))
    var entry: String

    @Option(help: ArgumentHelp("The file that holds the value; without it standard input is read.", valueName: "FILE"))
    var valueFile: String?

    @Flag(help: "Store bytes as they are; otherwise text in UTF-8, without one line break at its end.")
    var bytes = false

    func run() async throws {
        try await storage.report {
            let value = try StoredInput(path: valueFile).octets()
            let opened = try await key.openExisting(storage)
            try await opened.update { [bytes, entry] draft throws(SecureStorageError) in
                if bytes {
                    try draft.putBytes(value, forKey: entry)
                } else {
                    guard let text = StoredInput.text(value) else { throw .valueInvalid }
                    try draft.putString(text, forKey: entry)
                }
            }
            return CommandReport.Outcome(
                text: "The storage \(storage.name) has \(opened.count) entries.",
                result: JSONObject(["name": .string(storage.name), "entryCount": .integer(opened.count)]))
        }
    }
}
