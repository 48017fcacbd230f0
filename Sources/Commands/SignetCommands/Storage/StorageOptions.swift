import ArgumentParser
import SecureStorage

/// The options that every command of a storage takes.
struct StorageOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("The name of the storage.", valueName: "NAME"))
    var name: String

    @Option(help: ArgumentHelp("The directory of the storages, mode 0700.", valueName: "DIR"))
    var directory: String

    @Option(help: "How the outcome is told: text or json.")
    var format = OutputFormat.text

    /// Runs the body of a command and tells its outcome.
    func report(_ body: () async throws -> CommandReport.Outcome) async throws {
        try await CommandReport(format: format).run {
            do {
                return try await body()
            } catch let error as SecureStorageError {
                throw CommandFailure(error)
            }
        }
    }
}
