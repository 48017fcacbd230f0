import BackendAPI
import BackendTransport
import CommandSupport
import DemoCommands
import Foundation
import Glibc
import Synchronization

/// HAProxy in front of two servers, with the very text of `docs/operate/operations.md` but for addresses and ports.
///
/// The servers have to have ``settings``; then they take connections from it only.
final class HAProxy: Sendable {
    /// Way in which the proxy learns how the servers are.
    enum Layout: CaseIterable, Sendable {
        /// By their health: they are on its machine.
        case oneMachine
        /// By their key set.
        case severalMachines
    }

    /// Failure before the proxy serves.
    enum Failure: Error {
        /// The package `haproxy` is missing.
        case notInstalled
        /// The document does not contain this text any more.
        case documentHasChanged(String)
        /// The program has ended, with this output.
        case ended(String)
    }

    /// Lines of the section `server` of the servers behind it.
    static let settings = ["trusted-proxies: [127.0.0.0/8]", "proxy-protocol: v2"]

    private static let program = "/usr/sbin/haproxy"
    private static let document = "docs/operate/operations.md"
    /// Address at which the proxy of the document listens.
    private static let documentedListener = "bind :443\n"
    /// Line with which that part of the first text begins for which the second one has another.
    private static let beginning = "frontend "

    /// Base URL for phones.
    let address: String
    private let folder: URL
    private let process = Mutex<ChildProcess?>(nil)

    /// Prepares the proxy of two servers, whose management ports are chosen, without starting it.
    init(in folder: URL, at port: Int, before servers: [LocalServer], _ layout: Layout = .oneMachine) throws {
        guard FileManager.default.isExecutableFile(atPath: Self.program) else { throw Failure.notInstalled }
        address = "https://127.0.0.1:\(port)"
        self.folder = folder
        var text = try Self.documented(layout)
        try Self.replace(Self.documentedListener, with: "bind 127.0.0.1:\(port)\n", in: &text)
        for (place, server) in zip(layout.servers, servers) {
            try Self.replace(place, with: layout.address(of: server), in: &text)
        }
        try Data((Self.global + text).utf8).write(to: configuration)
    }

    deinit { process.withLock { $0 }?.kill() }

    private var configuration: URL { folder.appending(path: "haproxy.cfg") }

    /// The configuration of the document.
    private static func documented(_ layout: Layout) throws -> String {
        let texts = try DocumentedCommands(document).proxies
        guard texts.count == 2, let place = texts[0].range(of: beginning) else {
            throw Failure.documentHasChanged(beginning)
        }
        return layout == .oneMachine ? texts[0] : String(texts[0][..<place.lowerBound]) + texts[1]
    }

    private static func replace(_ place: String, with text: String, in configuration: inout String) throws {
        guard configuration.contains(place) else { throw Failure.documentHasChanged(place) }
        configuration = configuration.replacing(place, with: text)
    }

    /// Section of the machine, which the document leaves to the package: who runs it, and where the log goes.
    private static var global: String {
        let account = geteuid() == 0 ? "    user haproxy\n    group haproxy\n" : ""
        return "global\n    log stdout format raw local0\n" + account + "\n"
    }

    // MARK: - The program

    /// Lets HAProxy look at the configuration, and returns what it says.
    func examination() async throws -> ChildProcess.Ending {
        try await child("haproxy-check", ["-c", "-V", "-f", configuration.path()]).ending()
    }

    /// Starts it, and waits until a request reaches a server.
    func start(over transport: any HTTPTransport) async throws {
        let running = try child("haproxy", ["-db", "-f", configuration.path()])
        process.withLock { $0 = running }
        let request = BackendRequest(
            .get, address + Endpoint.keySet.path, headers: [.init("Accept", "application/json")])
        while (try? await transport.response(to: request))?.status != 200 {
            guard running.isRunning else { throw Failure.ended(await running.ending().complaints) }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Whether it runs.
    var isRunning: Bool { process.withLock { $0?.isRunning ?? false } }

    /// Stops it, and waits for its end.
    func end() async {
        let running = process.withLock { $0 }
        running?.stop()
        _ = await running?.ending()
    }

    private func child(_ name: String, _ arguments: [String]) throws -> ChildProcess {
        try ChildProcess(
            URL(filePath: Self.program), arguments, folder: folder, name: "\(name)-\(UUID().uuidString.prefix(8))")
    }
}

extension HAProxy.Layout {
    /// Servers in the document.
    fileprivate var servers: [String] {
        switch self {
        case .oneMachine: ["127.0.0.1:8443 port 9089", "127.0.0.1:8444 port 9090"]
        case .severalMachines: ["10.0.0.11:8443", "10.0.0.12:8443"]
        }
    }

    /// Address of a server as the document writes it.
    fileprivate func address(of server: LocalServer) -> String {
        switch self {
        case .oneMachine: "127.0.0.1:\(server.port) port \(server.managementPort)"
        case .severalMachines: "127.0.0.1:\(server.port)"
        }
    }
}
