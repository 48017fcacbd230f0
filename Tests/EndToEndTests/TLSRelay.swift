import BackendAPI
import BackendTransport
import CommandSupport
import DemoCommands
import DeviceCommands
import Foundation
import Synchronization

/// HAProxy as a party between phones and a server, who ends TLS with another certificate and passes every octet on.
///
/// Phones of ``authorityFile`` trust that certificate: it comes from the authority of a server of its own.
final class TLSRelay: Sendable {
    /// Base URL for phones; also the public address of the server behind it, so that nothing but the certificate is another.
    let address: String
    private let foreign: Installation
    private let ports: FreePorts
    private let process = Mutex<ChildProcess?>(nil)

    /// Makes the certificate, without starting the relay.
    init() async throws {
        ports = try FreePorts(1)
        address = "https://127.0.0.1:\(ports.numbers[0])"
        foreign = try Installation()
        let server = try await foreign.server.start()
        server.stop()
        _ = await server.ending()
    }

    deinit { process.withLock { $0 }?.kill() }

    /// File of the authority that phones trust.
    var authorityFile: URL { foreign.server.authorityFile }
    /// File of the certificate that phones see.
    var certificateFile: URL { certificates.appending(path: "server.pem") }
    private var certificates: URL { authorityFile.deletingLastPathComponent() }

    /// Starts it before a server, and waits until it listens.
    func start(before server: LocalServer) async throws {
        let folder = foreign.scratch.url
        let bundle = folder.appending(path: "relay.pem")
        let parts = try ["server.pem", "server.key"].map { try Data(contentsOf: certificates.appending(path: $0)) }
        try PrivateFile(path: bundle.path()).write(String(decoding: parts[0] + parts[1], as: UTF8.self))
        let configuration = folder.appending(path: "relay.cfg")
        try Data(
            """
            global
                log stdout format raw local0
            defaults
                mode tcp
                timeout connect 5s
                timeout client 2m
                timeout server 2m
            frontend relay
                bind 127.0.0.1:\(ports.numbers[0]) ssl crt \(bundle.path())
                default_backend server
            backend server
                server first 127.0.0.1:\(server.port) ssl verify none

            """.utf8
        ).write(to: configuration)
        let running = try ChildProcess(
            URL(filePath: "/usr/sbin/haproxy"), ["-db", "-f", configuration.path()], folder: folder, name: "relay")
        process.withLock { $0 = running }
        let transport = try foreign.server.transport()
        let request = BackendRequest(
            .get, address + Endpoint.keySet.path, headers: [.init("Accept", "application/json")])
        while (try? await transport.response(to: request))?.status != 200 {
            guard running.isRunning else {
                throw CommandFailure.local("ProcessFailed", await running.ending().complaints)
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}
