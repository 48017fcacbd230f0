package import BackendTransport
import BackendTransportLinux
package import CommandSupport
import DeviceCommands
package import Foundation
import StrictJSON
import Synchronization

/// `signet-server` process on loopback with its own data folder, which outlives the process.
package final class LocalServer: Sendable {
    package let folder: URL
    private let installed: Mutex<URL>
    private let readyFile: ReadyFile
    private let listener: Mutex<Int?>
    /// Port for health and metrics at every start; 0 for a free one at each.
    private let managementChoice: Int
    private let managementListener = Mutex(0)
    private let administrationListener = Mutex(0)
    private let host = Mutex("127.0.0.1")

    /// Prepares a server in a folder without starting it.
    ///
    /// `settings` are additional lines of its configuration; without a `port` the first start takes a free one, without
    /// a `managementPort` each start does.
    package init(
        program: URL, folder: URL, settings: String = "", port: Int? = nil, managementPort: Int? = nil
    ) throws {
        installed = Mutex(program)
        self.folder = folder
        readyFile = ReadyFile(url: folder.appending(path: "ready.json"))
        listener = Mutex(port)
        managementChoice = managementPort ?? 0
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try configure(settings)
    }

    /// Prepares a further process on the folder, the database and the configuration of another server, at `port`.
    package init(beside other: LocalServer, port: Int, managementPort: Int? = nil) {
        installed = Mutex(other.program)
        folder = other.folder
        readyFile = ReadyFile(url: other.folder.appending(path: "ready-\(port).json"))
        listener = Mutex(port)
        managementChoice = managementPort ?? 0
    }

    /// Replaces the additional lines of the configuration, and the host where one is given; they take effect at the next start.
    package func configure(_ settings: String, host name: String? = nil) throws {
        if let name { host.withLock { $0 = name } }
        let listener = name.map { "server: { host: \($0) }\n" } ?? ""
        try Data((Self.configuration + listener + settings).utf8).write(to: configurationFile)
    }

    /// Program of the next start, and of commands.
    package var program: URL { installed.withLock { $0 } }

    /// Has another program from now on; the folder stays.
    package func change(to program: URL) { installed.withLock { $0 = program } }

    /// Port of the service, the same at every start; 0 before the first when that takes a free one.
    package var port: Int { listener.withLock { $0 ?? 0 } }
    package var address: String { "https://\(host.withLock(\.self)):\(port)" }
    /// Port for health and metrics since the last start; before the first one the chosen one, or 0.
    package var managementPort: Int { managementListener.withLock { $0 > 0 ? $0 : managementChoice } }
    /// Address for administrators since the last start; its port is 0 without one.
    package var administrationAddress: String { "https://127.0.0.1:\(administrationListener.withLock { $0 })" }
    package var authorityFile: URL { dataFolder.appending(path: "tls/ca.pem") }
    /// Database file, which the processes of the server and its commands share.
    package var databaseFile: URL { dataFolder.appending(path: "signet.sqlite") }
    /// Folder of the database and the keys.
    package var dataFolder: URL { folder.appending(path: "data") }
    private var configurationFile: URL { folder.appending(path: "server.yml") }

    /// Starts the server and waits until it is ready; `options` are additional arguments of `serve`.
    ///
    /// `started` hears of the process as soon as it runs, before it is ready.
    package func start(
        _ options: [String] = [], environment: [String: String] = [:], started: (ChildProcess) -> Void = { _ in }
    ) async throws -> ChildProcess {
        readyFile.clear()
        let process = try ChildProcess(
            program,
            [
                "serve", "--config", configurationFile.path(), "--port", String(port), "--management-port",
                String(managementChoice), "--ready-file", readyFile.url.path(),
            ] + options,
            environment: environment, folder: folder, name: "server-\(UUID().uuidString.prefix(8))")
        started(process)
        let announcement = try await readyFile.announcement(of: process)
        let port: Int = try announcement.integer("port")
        let management: Int = try announcement.integer("managementPort")
        listener.withLock { $0 = port }
        managementListener.withLock { $0 = management }
        let administration: Int? = try announcement.optionalInteger("administrationPort")
        administrationListener.withLock { $0 = administration ?? 0 }
        return process
    }

    /// Runs an administrative command, such as `devices list`, on the database of this server.
    ///
    /// `names` come last and may begin with a hyphen.
    package func administer(
        _ command: String, _ arguments: [String] = [], names: [String] = []
    ) async throws -> CommandOutcome {
        let words = command.split(separator: " ").map(String.init)
        let process = try ChildProcess(
            program,
            words + ["--config", configurationFile.path(), "--format", "json"] + arguments + ["--"] + names,
            folder: folder,
            name: "\(words.joined(separator: "-"))-\(UUID().uuidString.prefix(8))")
        return try CommandOutcome(await process.ending())
    }

    package func exportedAudit() async throws -> [String] {
        let process = try ChildProcess(
            program, ["audit", "export", "--config", configurationFile.path()], folder: folder,
            name: "audit-export-\(UUID().uuidString.prefix(8))")
        return await process.ending().output.split(separator: "\n").map(String.init)
    }

    /// Adds a user; `reason` are the words that say why.
    package func addUser(
        _ name: String, password: String, reason: [String] = ["--reason", "a trial"]
    ) async throws {
        let file = folder.appending(path: "password-of-\(name)")
        try PrivateFile(path: file.path()).write(password)
        let outcome = try await administer("users add", ["--password-file", file.path()] + reason, names: [name])
        guard outcome.isDone else {
            throw CommandFailure.local("ServerFailed", "the user could not be added: \(outcome.message)")
        }
    }

    package func passwordFile(of name: String) -> URL { folder.appending(path: "password-of-\(name)") }

    /// HTTP transport that trusts this server.
    package func transport() throws -> any HTTPTransport {
        let authority = try AuthorityFile.read(authorityFile.path())
        let trust = TransportTrust(additionalCertificates: try TransportTrust.certificates(inPEM: authority))
        return AsyncHTTPClientTransport(trust: trust) { Int64(Date().timeIntervalSince1970) }
    }

    private static let configuration = """
        data-directory: data
        instance-name: local
        password-login:
          enabled: true

        """
}
