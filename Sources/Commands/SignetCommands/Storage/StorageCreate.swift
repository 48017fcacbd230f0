import ArgumentParser
import HardwareKeys
import SecureStorage
import StrictJSON

/// `signet storage create`: a new, empty storage.
struct StorageCreate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "create", abstract: "Makes an empty storage.")

    @OptionGroup var storage: StorageOptions
    @OptionGroup var key: StorageKeyOptions

    @Flag(help: "Leave the names of entries readable in the file.")
    var namesInClear = false

    func run() async throws {
        try await storage.report {
            let place = SecureStorage.Configuration(hardware: .none, directory: storage.directory)
            guard !SecureStorage.exists(fileName: storage.name, configuration: place) else {
                throw CommandFailure.local("StorageExists", "there is a storage \(storage.name) already")
            }
            let opened = try await key.open(storage, namesInClear: namesInClear)
            try await opened.write()
            return CommandReport.Outcome(
                text: "The storage \(storage.name) is in \(storage.directory).\n" + opened.protectionStatement.text,
                result: JSONObject([
                    "name": .string(storage.name), "directory": .string(storage.directory),
                    "hardware": .bool(opened.isSecureHardwareProtected),
                    "protectionStatement": .string(opened.protectionStatement.text),
                ]))
        }
    }
}
