import CommandSupport
import DemoCommands
import DeviceCommands
import Foundation
import StrictJSON
import TestSupport
import Testing

/// `signet-server doctor` by the real programs: a running server, none, one that does not answer.
@Suite("signet-server doctor", .serialized)
struct ServerDoctorTests {
    private let installation: Installation

    init() throws { installation = try Installation() }

    /// Findings that are no notes, and not about the settings of a trial, with the exit code.
    private func doctor(
        _ arguments: [String] = [], asking isAsking: Bool = true
    ) async throws -> (code: Int32, findings: [String: String]) {
        let port = isAsking ? ["--management-port", String(installation.server.managementPort)] : []
        let outcome = try await installation.server.administer("doctor", port + arguments)
        var findings: [String: String] = [:]
        for finding in outcome.result.objects("findings") where finding.text("id") != "configuration" {
            #expect(finding.text("remedy")?.isEmpty == false)
            guard let severity = finding.text("severity"), severity != "note" else { continue }
            findings[finding.text("id") ?? ""] = severity
        }
        return (outcome.code, findings)
    }

    @Test(
        "A server is asked: nothing, then a key file that others can read, then nothing; without one the command looks")
    func asked() async throws {
        let server = try await installation.server.start()
        defer { server.kill() }
        let key = installation.server.dataFolder.appending(path: "master.key").path()
        #expect(try await doctor().findings == [:])
        #expect(chmod(key, 0o644) == 0)
        let wrong = try await doctor()
        #expect(wrong.code == 1 && wrong.findings == ["keys": "warning"])
        #expect(chmod(key, 0o600) == 0)
        #expect(try await doctor().findings == [:])
        let silent = try await doctor(["--management-port", "1"], asking: false)
        #expect(silent.code == 2 && silent.findings == ["server": "down"])
        server.kill()
        _ = await server.ending()
        #expect(try await doctor(["--integrity"], asking: false).findings == [:])
        #expect(chmod(key, 0o644) == 0)
        let idle = try await doctor(asking: false)
        #expect(idle.code == 2 && idle.findings == ["keys": "down"])
    }

    @Test("A server is asked over TLS, whose certificate is the configured one, and with the token")
    func overTLS() async throws {
        func write(_ text: String, _ name: String) throws {
            try PrivateFile(path: installation.server.folder.appending(path: name).path()).write(text)
        }
        func asked(_ settings: String, swapping certificate: String? = nil) async throws -> [String: String] {
            try installation.server.configure("management: {server: {\(settings)}}\n")
            let server = try await installation.server.start()
            defer { server.kill() }
            if let certificate { try write(certificate, "chain.pem") }
            return try await doctor().findings
        }
        let (pair, other) = (
            try TestCertificate.pair(from: Date.now - 86_400, days: 90),
            try TestCertificate.pair(from: Date.now - 86_400, days: 90)
        )
        try write(pair.chain, "chain.pem")
        try write(pair.key, "key.pem")
        try write(String(repeating: "0123456789abcdef", count: 4), "token")
        let tls = "tls: {certificate-file: chain.pem, private-key-file: key.pem}, token-file: token"
        #expect(try await asked(tls)["server"] == nil)
        #expect(try await asked(tls, swapping: other.chain)["server"] == "down", "a stranger does not get the token")
    }

    @Test("A public address behind which another server answers is a warning")
    func address() async throws {
        let other = try await installation.server.start()
        defer { other.kill() }
        let stranger = try LocalServer(
            program: try Installation.builtPrograms().server,
            folder: installation.scratch.url.appending(path: "stranger"),
            settings: "server: {public-url: \"https://127.0.0.1:\(installation.server.port)\"}\n")
        let server = try await stranger.start()
        defer { server.kill() }
        let clock = ContinuousClock()
        let end = clock.now + .seconds(30)
        var findings: [JSONObject] = []
        repeat {
            findings = try await stranger.administer("doctor", ["--management-port", String(stranger.managementPort)])
                .result.objects("findings").filter { $0.text("id") == "address" }
            try await Task.sleep(for: .milliseconds(200))
        } while findings.isEmpty && clock.now < end
        #expect(findings.first?.text("severity") == "warning")
        #expect(
            findings.first?.text("text")?.contains("shows a certificate that this server does not know") == true,
            "\(findings)")
    }
}
