import BackendAPI
import BackendTransport
import CommandSupport
import DemoCommands
import DeviceCommands
import Foundation
import Octets
import Synchronization
import Testing
import UAF

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Two server processes on one data folder, behind which phones and portals see one service.
final class ServerPair: Sendable {
    let installation: Installation
    /// Second process, on a port of its own.
    let second: LocalServer
    /// Proxy in front of both, which then take connections from it only; nil for none.
    let proxy: HAProxy?
    private let ports: FreePorts
    private let processes: Mutex<[ChildProcess]>

    /// First process.
    var first: LocalServer { installation.server }
    /// Both processes.
    var servers: [LocalServer] { [first, second] }

    /// Starts both; `server` are further lines of the section `server`, `further` lines of the whole configuration.
    ///
    /// With `layout` a proxy stands before them; with `program` they are another program than the present one.
    init(
        server: [String] = [], further: String = "", behindProxy layout: HAProxy.Layout? = nil, as program: URL? = nil
    ) async throws {
        ports = try FreePorts(4)
        let numbers = ports.numbers
        installation = try Installation(managementPort: numbers[0]) { _, present in program ?? present }
        second = LocalServer(beside: installation.server, port: numbers[1], managementPort: numbers[2])
        let (folder, both) = (installation.scratch.url, [installation.server, second])
        proxy = try layout.map { try HAProxy(in: folder, at: numbers[3], before: both, $0) }
        let address = proxy?.address ?? installation.server.address
        let lines = ["public-url: \(address)"] + server + (layout == nil ? [] : HAProxy.settings)
        try installation.server.configure("server:\n" + lines.map { "  \($0)\n" }.joined() + further)
        // The first one makes the certificate.
        let process = try await installation.server.start()
        processes = Mutex([process])
        let other = try await second.start()
        processes.withLock { $0.append(other) }
        try await proxy?.start(over: installation.server.transport())
    }

    deinit {
        processes.withLock { processes in for process in processes { process.kill() } }
    }

    /// The process of a server, counted from 0.
    func process(_ number: Int) -> ChildProcess { processes.withLock { $0[number] } }

    /// Kills a process and waits for its end.
    func kill(_ number: Int) async {
        process(number).kill()
        _ = await process(number).ending()
    }

    /// Stops a process in order, and starts it again when it has ended, as another program if one is given.
    func restart(_ number: Int, as program: URL? = nil) async throws {
        process(number).stop()
        #expect(await process(number).ending().code == 0)
        if let program { servers[number].change(to: program) }
        let process = try await servers[number].start()
        processes.withLock { $0[number] = process }
    }

    /// Lets the processes make and take up another certificate of the same authority, one after the other.
    func changeCertificate() async throws {
        for file in ["server.pem", "server.key"] {
            try FileManager.default.removeItem(at: first.dataFolder.appending(path: "tls/\(file)"))
        }
        for number in servers.indices {
            let process = process(number)
            Foundation.kill(process.identifier, SIGHUP)
            while !process.complaints.contains("certificate replaced") {
                #expect(process.isRunning)
                try await Task.sleep(for: .milliseconds(20))
            }
        }
    }

    // MARK: - Asking

    /// Status of a login by password at a server.
    func logIn(_ user: String, _ password: String, at server: LocalServer) async throws -> Int {
        let name = try #require(UserName(user))
        let login = PasswordLogin(userID: name, password: SecretOctets(copying: Array(password.utf8)))
        let request = BackendRequest(
            .post, server.address + Endpoint.passwordLogin.path,
            headers: [
                .init("Content-Type", "application/x-www-form-urlencoded"), .init("Accept", "application/json"),
            ], body: login.form())
        return try await server.transport().response(to: request).status
    }

    /// Words of the health of a server about the processes on its database.
    static func processes(of server: LocalServer) async throws -> String {
        try #require(
            try HealthBody(body: Array(await server.health().text.utf8)).components.first { $0.name == "processes" }?
                .detail?.text)
    }

    /// Value of a metric of a server; 0 before it has one.
    static func metric(_ series: String, of server: LocalServer) async throws -> Int {
        let address = try #require(URL(string: "http://127.0.0.1:\(server.managementPort)/metrics"))
        let (body, _) = try await URLSession.shared.data(from: address)
        let line = String(decoding: body, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix(series + " ") }
        return line.flatMap { Double($0.dropFirst(series.count + 1)) }.map { Int($0) } ?? 0
    }

    /// Portal that talks to a server; the configuration of the pair must name ``accessKeySetting(in:)``.
    func portal(at server: LocalServer) throws -> Portal { Portal(at: server.address, over: try server.transport()) }

    /// Section that lets the portal in, with the file of its key in a folder.
    static func accessKeySetting(in folder: URL) throws -> String {
        let file = folder.appending(path: "portal.key")
        try PrivateFile(path: file.path()).write(Portal.accessKey)
        return "out-of-band:\n  access-keys: [{ name: portal, key-file: \(file.path()), scopes: \(Portal.scopes) }]\n"
    }
}
