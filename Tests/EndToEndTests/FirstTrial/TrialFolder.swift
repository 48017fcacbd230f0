import CommandSupport
import DemoCommands
import Foundation

/// An empty folder in which a person types what a document says; the programs are on the path, ports are free ones.
final class TrialFolder {
    /// What happens while a command runs, in order.
    enum Step {
        /// The terminal shows this.
        case shows(String)
        /// The terminal asks this, and gets that.
        case asks(String, String)
    }

    let scratch: TemporaryFolder
    private let ports: FreePorts
    private let port: Int
    private let managementPort: Int
    private let pushPort: Int
    private var path: String
    /// Texts of the document that the reader replaces by what stands on his screen.
    var replacements: [String: String] = [:]
    private var background: [String: TerminalSession] = [:]

    init() throws {
        scratch = try TemporaryFolder(named: "signet-trial")
        let programs = try Installation.builtPrograms().server.deletingLastPathComponent().path()
        path = programs + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
        ports = try FreePorts(3)
        (port, managementPort, pushPort) = (ports.numbers[0], ports.numbers[1], ports.numbers[2])
    }

    private var environment: [String: String] {
        [
            "PATH": path, "XDG_STATE_HOME": scratch.url.appending(path: "state").path(),
            "SIGNET_SERVER_SERVER_PORT": String(port), "SIGNET_SERVER_MANAGEMENT_SERVER_PORT": String(managementPort),
        ]
    }

    func url(_ name: String) -> URL { scratch.url.appending(path: name) }

    /// Saves a file of the document.
    func save(_ text: String, as name: String) throws {
        try Data(adapted(text).utf8).write(to: url(name))
    }

    /// Lets `signet-server` find a configuration file without being told.
    func configure(by file: String) throws {
        let folder = url("bin")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let program = try Installation.builtPrograms().server.path()
        let script = """
            #!/bin/sh
            command=$1; shift
            case $command in serve | doctor) ;; *) command="$command $1"; shift ;; esac
            exec \(program) $command --config \(url(file).path()) "$@"

            """
        try Data(script.utf8).write(to: folder.appending(path: "signet-server"))
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: folder.appending(path: "signet-server").path())
        path = folder.path() + ":" + path
    }

    /// Types a command and goes through `steps`; returns the exit code.
    func run(_ command: String, _ steps: [Step]) async throws -> Int32 {
        let session = try await start(command, steps)
        return session.ending()
    }

    /// Types a command in a terminal of its own, which stays open.
    func open(_ command: String, _ steps: [Step]) async throws {
        background[command] = try await start(command, steps)
    }

    /// Presses Ctrl-C in such a terminal; returns the exit code.
    func close(_ command: String) throws -> Int32 {
        guard let session = background.removeValue(forKey: command) else { return -1 }
        try session.type(TerminalSession.interruption)
        return session.ending()
    }

    /// Ends what is still open.
    func closeAll() throws {
        for command in background.keys { _ = try close(command) }
    }

    /// Starts a command and goes through `steps`.
    func start(_ command: String, _ steps: [Step]) async throws -> TerminalSession {
        let session = try TerminalSession(
            line: adapted(command), environment: environment, folder: scratch.url)
        for step in steps {
            switch step {
            case .shows(let text): try await session.expect(adapted(text))
            case .asks(let question, let answer): try await session.answer(question, adapted(answer))
            }
        }
        return session
    }

    private func adapted(_ text: String) -> String {
        let ports = ["127.0.0.1:8443": "127.0.0.1:\(port)", "127.0.0.1:9443": "127.0.0.1:\(pushPort)"]
        let text = ports.merging(replacements) { $1 }.reduce(text) { $0.replacing($1.key, with: $1.value) }
        return text.hasPrefix("signet-push-sink") ? "\(text) --port \(pushPort)" : text
    }
}
