import CommandSupport
import Foundation
import HTTPEngine
import Synchronization
import TestSupport

/// A real rsyslogd that takes TLS on loopback and writes each message as it came, with a configuration of its own.
final class Rsyslog: Sendable {
    /// The package `rsyslog` or `rsyslog-gnutls` is missing, or it did not start.
    struct Unusable: Error {}

    private static let program = "/usr/sbin/rsyslogd"

    let folder: TestSupport.TemporaryFolder
    private let ports: FreePorts
    private let process = Mutex<ChildProcess?>(nil)

    var port: Int { ports.numbers[0] }
    var authorityFile: String { folder.path + "/ca.pem" }

    /// Writes the configuration, with `authority` as the one that clients trust, and starts nothing.
    init(trusting authority: LoopbackAuthority) throws {
        guard FileManager.default.isExecutableFile(atPath: Self.program) else { throw Unusable() }
        folder = try TestSupport.TemporaryFolder()
        ports = try FreePorts(1)
        try write("ca.pem", authority.certificatePEM)
        let path = folder.path
        try write(
            "rsyslog.conf",
            """
            global(workDirectory="\(path)" maxMessageSize="64k" defaultNetstreamDriver="gtls"
                   defaultNetstreamDriverCAFile="\(path)/ca.pem" defaultNetstreamDriverCertFile="\(path)/cert.pem"
                   defaultNetstreamDriverKeyFile="\(path)/key.pem")
            module(load="imtcp" streamDriver.name="gtls" streamDriver.mode="1" streamDriver.authMode="anon")
            template(name="raw" type="string" string="%rawmsg%\\n")
            input(type="imtcp" port="\(port)" address="127.0.0.1")
            action(type="omfile" file="\(path)/messages" template="raw")

            """)
    }

    deinit { process.withLock { $0 }?.kill() }

    private func write(_ name: String, _ text: String) throws {
        try PosixFiles().write(Array(text.utf8), to: folder.path + "/" + name, mode: 0o600)
    }

    /// Starts it with a certificate of an authority, and waits until it listens.
    func start(by authority: LoopbackAuthority) async throws {
        let made = try authority.identity(now: Date())
        try write("cert.pem", made.identity.chainPEM)
        try write("key.pem", made.privateKeyPEM)
        let running = try ChildProcess(
            URL(filePath: Self.program), ["-n", "-f", folder.path + "/rsyslog.conf", "-i", folder.path + "/pid"],
            folder: URL(filePath: folder.path), name: "rsyslog-\(UUID().uuidString.prefix(8))")
        process.withLock { $0 = running }
        while !isListening {
            guard running.isRunning else { throw Unusable() }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    private var isListening: Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        return withUnsafeBytes(of: &address) { octets in
            octets.withMemoryRebound(to: sockaddr.self) { sockets in
                sockets.baseAddress.map { connect(descriptor, $0, socklen_t(octets.count)) } == 0
            }
        }
    }

    /// Stops it in order.
    func stop() async {
        let running = process.withLock { $0 }
        running?.stop()
        _ = await running?.ending()
    }

    /// The messages so far, one a line.
    var lines: [String] {
        let octets = PosixFiles().contents(of: folder.path + "/messages") ?? []
        return String(decoding: octets, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
