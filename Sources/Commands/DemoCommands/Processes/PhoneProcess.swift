package import CommandSupport
package import Foundation

/// Phone of a demonstration or a test: a folder, and a `signet` process for each command.
package struct PhoneProcess: Sendable {
    package let program: URL
    package let folder: URL
    /// Folder for the output files of the processes.
    package let logs: URL
    /// Environment variables of the processes, added to the environment of this process.
    package let environment: [String: String]

    /// The phone in a folder, which exists or is yet to be created with `init`.
    package init(program: URL, folder: URL, logs: URL, environment: [String: String] = [:]) {
        self.environment = environment
        self.program = program
        self.folder = folder
        self.logs = logs
    }

    /// Starts one command of the phone, such as `pin change`; `record` receives the recorded HTTP exchanges.
    package func start(_ command: String, _ arguments: [String], record: URL? = nil) throws -> ChildProcess {
        let words = command.split(separator: " ").map(String.init)
        var all = ["device"] + words + ["--device", folder.path(), "--format", "json"] + arguments
        if let record { all += ["--record", record.path()] }
        let name = "\(folder.lastPathComponent)-\(words.joined(separator: "-"))-\(UUID().uuidString.prefix(8))"
        return try ChildProcess(program, all, environment: environment, folder: logs, name: name)
    }

    /// Runs one command of the phone until it exits.
    package func run(_ command: String, _ arguments: [String], record: URL? = nil) async throws -> CommandOutcome {
        try CommandOutcome(await start(command, arguments, record: record).ending())
    }
}
