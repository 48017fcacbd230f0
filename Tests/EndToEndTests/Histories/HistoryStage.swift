import BackendTransport
import CommandSupport
import DemoCommands
import DeviceCommands
import Foundation
import TestSupport
import Testing
import UAF

/// Server processes on one database, each with a port of its own, that are killed and started again.
actor HistoryStage {
    private let installation: Installation
    private let servers: [LocalServer]
    private let database: HistoryDatabase
    private var processes: [ChildProcess] = []
    /// Proxy in front of the servers; nil where clients choose one.
    private let proxy: HAProxy?
    /// Ports of the further servers, of their management and of the proxy, which stay theirs.
    private let ports: FreePorts

    /// Prepares some servers; a proxy stands before two of them.
    init(_ database: HistoryDatabase, processCount: Int, isBehindProxy: Bool) throws {
        self.database = database
        let taken = try FreePorts(2 * processCount)
        ports = taken
        let (management, others) = (taken.numbers.prefix(processCount), taken.numbers.dropFirst(processCount))
        let first = try Installation(managementPort: management.first)
        installation = first
        let all =
            [first.server]
            + zip(others, management.dropFirst()).map {
                LocalServer(beside: first.server, port: $0, managementPort: $1)
            }
        servers = all
        let port = try #require(others.last)
        let front = isBehindProxy ? try HAProxy(in: first.scratch.url, at: port, before: all) : nil
        proxy = front
        let settings = Self.settings(
            publicAddress: front?.address ?? first.server.address, isBehindProxy ? HAProxy.settings : [])
        try first.server.configure(settings + database.settings)
        let folder = first.server.folder
        try Data(MetadataCatalog([try SyntheticAuthenticator().metadata]).document)
            .write(to: folder.appending(path: "metadata.json"))
        try PrivateFile(path: folder.appending(path: "portal.key").path()).write(Portal.accessKey)
    }

    deinit {
        for process in processes { process.kill() }
    }

    /// Servers of the stage.
    nonisolated var serverCount: Int { servers.count }
    /// Names of the blows that can fall: on a process, and on the database.
    nonisolated var blows: [String] { ["process killed"] + database.blows.map(\.name) }
    /// Where clients can send their requests.
    nonisolated var addresses: [String] { proxy.map { [$0.address] } ?? servers.map(\.address) }

    // MARK: - Processes

    /// Starts every server and the proxy, and adds users.
    func start(users: [String]) async throws {
        for index in servers.indices { processes.append(try await process(of: index)) }
        for user in users { try await servers[0].addUser(user, password: Installation.password) }
        try await proxy?.start(over: servers[0].transport())
    }

    /// Starts a server again once its process is gone.
    func revive(_ index: Int) async throws {
        processes[index].kill()
        _ = await processes[index].ending()
        processes[index] = try await process(of: index)
    }

    /// Waits until nothing can come any more of the transactions of processes that were killed.
    func awaitEndOfTransactions() async throws {
        try await Self.onThread(database.awaitEndOfTransactions)
    }

    /// Whether every process lives; none may end by itself.
    var isWhole: Bool { processes.allSatisfy(\.isRunning) && proxy?.isRunning != false }

    /// Ends every server.
    ///
    /// One that is told to stop waits five seconds for each client of TLS that keeps a connection and says nothing more.
    func end() async {
        await proxy?.end()
        for process in processes { process.kill() }
        for process in processes { _ = await process.ending() }
    }

    /// What the servers have written into their audit.
    func audit() async throws -> ServerAudit { try await ServerAudit(of: servers[0]) }

    private func process(of index: Int) async throws -> ChildProcess {
        let passwordLogin = [
            "WINDOW": "\(LoginSubject.windowSeconds)s", "FAILURE_LIMIT_PER_NAME": "100000",
            "FAILURE_LIMIT_PER_ADDRESS": "1000000",
        ]
        let environment = passwordLogin.map { ("SIGNET_SERVER_PASSWORD_LOGIN_" + $0, $1) }
        return try await servers[index].start(environment: Dictionary(environment) { first, _ in first })
    }

    // MARK: - Load

    /// A way to the servers while all of them live.
    func calm() throws -> HistoryLoad {
        try HistoryLoad(over: servers[0].transport(), to: addresses, strike: nil)
    }

    /// A way to the servers of which one is killed at a certain answer; behind a proxy at an answer of any server.
    func load(killing victim: Int, atAnswer count: Int, losingIt isLost: Bool) throws -> HistoryLoad {
        let process = processes[victim]
        return try HistoryLoad(
            over: servers[0].transport(), to: addresses,
            strike: HistoryLoad.Strike(
                victim: proxy == nil ? victim : nil, answerCount: count, losesAnswer: isLost
            ) { process.kill() })
    }

    /// A way to the servers whose database is struck at a certain answer, by one of its blows.
    func load(striking blow: Int, atAnswer count: Int) throws -> HistoryLoad {
        let event = database.blows[blow]
        return try HistoryLoad(
            over: servers[0].transport(), to: addresses,
            strike: HistoryLoad.Strike(victim: nil, answerCount: count, losesAnswer: false) {
                do { try await Self.onThread(event.fall) } catch {
                    Issue.record(error, "\(event.name): it has failed")
                }
            })
    }

    /// Works with the database on a thread of its own: clients need the threads of the tasks meanwhile.
    private static func onThread(_ work: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { (end: CheckedContinuation<Void, any Error>) in
            Thread.detachNewThread { end.resume(with: Result { try work() }) }
        }
    }

    /// No limit on how fast clients may be, and one public address, so that each server takes what the other gave out.
    private static func settings(publicAddress: String, _ server: [String]) -> String {
        """
        fido-uaf:
          metadata: { path: metadata.json }
        authorization:
          registration: none
          max-credentials: 100
        out-of-band:
          access-keys: [{ name: portal, key-file: portal.key, scopes: \(Portal.scopes) }]
        server:
          public-url: \(publicAddress)
          rate-limit:
            per-address: { per-second: 1000000, burst: 1000000 }
            per-user: { per-second: 1000000, burst: 1000000 }

        """ + server.map { "  \($0)\n" }.joined()
    }
}
