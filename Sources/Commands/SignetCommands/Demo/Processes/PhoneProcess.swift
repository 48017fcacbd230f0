package import Foundation

/// A phone of a story or a test: a folder, and a `signet` process for everything it does.
package struct PhoneProcess: Sendable {
    /// The program.
    package let program: URL
    /// The folder of the phone.
    package let folder: URL
    /// Where the files of what the processes say go.
    package let logs: URL
    /// Variables that the processes get besides those of this one.
    package let environment: [String: String]

    /// The phone in a folder, made or to be made with `init`.
    package init(program: URL, folder: URL, logs: URL, environment: [String: String] = [:]) {
        self.environment = environment
        self.program = program
        self.folder = folder
        self.logs = logs
    }

    /// Starts one command of the phone, such as `pin change`; `record` takes the exchanges.
    package func start(_ command: String, _ arguments: [String], record: URL? = nil) throws -> ChildProcess {
        let words = command.split(separator: " ").map(String.init)
        var all = ["device"] + words + ["--device", folder.path(), "--format", "json"] + arguments
        if let record { all += ["--record", record.path()] }
        let name = "\(folder.lastPathComponent)-\(words.joined(separator: "-"))-\(UUID().uuidString.prefix(8))"
        return try ChildProcess(program, all, environment: environment, folder: logs, name: name)
    }

    /// Runs one command of the phone to its end.
    package func run(_ command: String, _ arguments: [String], record: URL? = nil) async throws -> CommandOutcome {
        try CommandOutcome(await start(command, arguments, record: record).ending())
    }
}
