package import BackendTransport
package import Foundation
import StrictJSON
import Synchronization

/// A `signet-server` process on loopback with a data folder of its own, which survives the process.
package final class LocalServer: Sendable {
    /// How long a server may take until it answers.
    private static let patience: Duration = .seconds(180)

    private let program: URL
    /// Where the server keeps everything.
    package let folder: URL
    private let listener = Mutex<Int?>(nil)

    /// Prepares a server in a folder; nothing runs yet.
    ///
    /// `settings` are further lines of its configuration.
    package init(program: URL, folder: URL, settings: String = "") throws {
        self.program = program
        self.folder = folder
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try Data((Self.configuration + settings).utf8).write(to: configurationFile)
    }

    /// The port of the service: free when it was first taken, the same at every later start; 0 before the first.
    package var port: Int { listener.withLock { $0 ?? 0 } }
    /// The base address for phones.
    package var address: String { "https://127.0.0.1:\(port)" }
    /// The certificate to trust.
    package var authorityFile: URL { dataFolder.appending(path: "tls/ca.pem") }
    /// The database; only one process may write it.
    package var databaseFile: URL { dataFolder.appending(path: "signet.sqlite") }
    private var dataFolder: URL { folder.appending(path: "data") }
    private var configurationFile: URL { folder.appending(path: "server.yml") }
    private var readyFile: URL { folder.appending(path: "ready.json") }

    /// Starts the server and waits until it is ready.
    package func start() async throws -> ChildProcess {
        try? FileManager.default.removeItem(at: readyFile)
        let process = try ChildProcess(
            program,
            [
                "serve", "--config", configurationFile.path(), "--port", String(port), "--management-port", "0",
                "--ready-file", readyFile.path(),
            ],
            folder: folder, name: "server-\(UUID().uuidString.prefix(8))")
        let port = try await readyPort(of: process)
        listener.withLock { $0 = port }
        return process
    }

    /// Adds a user with a password.
    package func addUser(_ name: String, password: String) async throws {
        let file = folder.appending(path: "password-of-\(name)")
        try Data((password + "\n").utf8).write(to: file)
        let process = try ChildProcess(
            program, ["users", "add", name, "--password-file", file.path(), "--config", configurationFile.path()],
            folder: folder, name: "users-add-\(name)")
        let ending = await process.ending()
        guard ending.code == 0 else {
            throw CommandFailure.local("ServerFailed", "the user could not be added: \(ending.complaints)")
        }
    }

    /// The file with the password of a user that was added.
    package func passwordFile(of name: String) -> URL { folder.appending(path: "password-of-\(name)") }

    /// A transport that trusts this server.
    package func transport() throws -> any HTTPTransport {
        let authority = try AuthorityFile.read(authorityFile.path())
        let trust = TransportTrust(additionalCertificates: try TransportTrust.certificates(inPEM: authority))
        return AsyncHTTPClientTransport(trust: trust) { Int64(Date().timeIntervalSince1970) }
    }

    private func readyPort(of process: ChildProcess) async throws -> Int {
        let clock = ContinuousClock()
        let deadline = clock.now + Self.patience
        while clock.now < deadline {
            if let content = FileManager.default.contents(atPath: readyFile.path()),
                case .object(let members)? = try? JSONParser.parse([UInt8](content)),
                case .number(let number)? = members["port"], let port = number.integer
            {
                return Int(port)
            }
            guard process.isRunning else {
                let ending = await process.ending()
                throw CommandFailure.local("ServerFailed", "the server ended: \(ending.complaints.suffix(600))")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        process.kill()
        throw CommandFailure.local("ServerFailed", "the server was not ready within \(Self.patience)")
    }

    private static let configuration = """
        data-directory: data
        instance-name: local
        password-login:
          enabled: true

        """
}
