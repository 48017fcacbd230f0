import ArgumentParser
import SecureStorage
import StrictJSON

/// `signet storage delete`: a storage less.
struct StorageDelete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Deletes a storage; nothing is asked and nothing comes back.")

    @OptionGroup var storage: StorageOptions

    func run() async throws {
        try await storage.report {
            try await SecureStorage.delete(
                fileName: storage.name,
                configuration: SecureStorage.Configuration(hardware: .none, directory: storage.directory))
            return CommandReport.Outcome(
                text: "The storage \(storage.name) is deleted.", result: JSONObject(["name": .string(storage.name)]))
        }
    }
}
