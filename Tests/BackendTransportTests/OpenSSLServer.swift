import Foundation
import Locking
import SwiftASN1
import TestSupport
import X509

/// TLS server of the program `openssl`, for what the library of our own test servers cannot be told: one suite of
/// TLS 1.3, or suites and versions that it has not.
///
/// It answers every request with status 200 and a page that says which suite was agreed on.
struct OpenSSLServer {
    /// Failure of the program itself.
    enum Failure: Error {
        case noPort(String)
    }

    private static let program = "/usr/bin/openssl"
    /// Whether the program is installed.
    static let isInstalled = FileManager.default.isExecutableFile(atPath: program)
    /// Message of a test that is skipped without the program.
    static let absence = "openssl is not installed; run script/bootstrap"

    /// Port on loopback that it listens on.
    let port: Int
    private let process = Process()
    private let folder: TemporaryFolder

    /// Starts a server that shows a chain; `options` say what it speaks.
    init(_ chain: TestChain, _ options: [String]) throws {
        folder = try TemporaryFolder()
        let files = [
            ("leaf.pem", try chain.leaf.certificate.serializeAsPEM().pemString),
            ("chain.pem", try chain.intermediate.certificate.serializeAsPEM().pemString),
            ("key.pem", try chain.leaf.key.serializeAsPEM().pemString),
        ]
        for (name, text) in files { try Data(text.utf8).write(to: URL(filePath: folder.path + "/" + name)) }
        process.executableURL = URL(filePath: Self.program)
        process.currentDirectoryURL = URL(filePath: folder.path)
        process.arguments =
            [
                "s_server", "-accept", "127.0.0.1:0", "-cert", "leaf.pem", "-key", "key.pem", "-cert_chain",
                "chain.pem", "-www",
            ] + options
        let output = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try ThreadSignals.unblocked { [process] in try process.run() }
        do {
            port = try Self.port(in: output.fileHandleForReading)
        } catch {
            Foundation.kill(process.processIdentifier, SIGKILL)
            throw error
        }
    }

    /// Ends the server.
    ///
    /// By a signal that no program ignores: one that is started while another test ignores SIGTERM in this process would
    /// ignore it, too.
    func stop() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// The port in the line `ACCEPT 127.0.0.1:PORT`.
    private static func port(in output: FileHandle) throws -> Int {
        var text = ""
        while true {
            let data = output.availableData
            guard !data.isEmpty else { throw Failure.noPort(text) }
            text += String(decoding: data, as: UTF8.self)
            let match = text.firstMatch(of: /ACCEPT 127\.0\.0\.1:([0-9]+)\n/)
            if let port = match.flatMap({ Int($0.1) }) { return port }
        }
    }
}
