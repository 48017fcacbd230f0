import ArgumentParser
import SecureStorage
import StrictJSON

/// `signet storage list`: the names in a storage.
struct StorageList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Lists the names of the entries.")

    @OptionGroup var storage: StorageOptions
    @OptionGroup var key: StorageKeyOptions

    func run() async throws {
        try await storage.report {
            let names = try await key.openExisting(storage).names()
            return CommandReport.Outcome(
                text: names.joined(separator: "\n"),
                result: JSONObject([
                    "name": .string(storage.name), "entries": .array(names.map(JSONValue.string)),
                ]))
        }
    }
}
