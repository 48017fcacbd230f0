import CommandSupport
import DemoCommands
import DeviceCommands
import Foundation
import StrictJSON
import TestSupport
import Testing

/// `signet-server admin` and a real server process: at its socket, and at its listener with TLS and access keys.
@Suite("signet-server admin: a running server, asked at its socket and elsewhere")
struct AdminCommandTests {
    private let installation: Installation
    private var server: LocalServer { installation.server }

    init() throws { installation = try Installation() }

    /// Runs `admin` at the socket; an identifier may begin with a hyphen.
    private func admin(
        _ words: String..., reason: String? = nil, options: [String] = []
    ) async throws -> CommandOutcome {
        try await server.administer(
            "admin", options + (reason.map { ["--reason", $0] } ?? []), names: words)
    }

    private func answer(_ outcome: CommandOutcome) throws -> JSONObject {
        #expect(outcome.isDone, "\(outcome.message)")
        return try outcome.result.required("answer") { value throws(JSONTypeError) in try value.asObject() }
    }

    @Test("At the socket: add, read, lock, page and remove; the audit names the account and the reason")
    func socket() async throws {
        let process = try await server.start()
        defer { process.kill() }
        let added = try answer(try await admin("add-user", "name=anna", reason: "für Müller"))
        let id = try added.string("id")
        _ = try answer(try await admin("add-user", "name=bert", reason: "new colleague"))
        let read = try await admin("user", id)
        let version = try #require(read.result.text("version"))
        let locked = try await admin("change-user", id, "status=locked", reason: "ticket 4711")
        #expect(try answer(locked).text("status") == "locked" && locked.result.text("version") != version)
        let late = try await admin(
            "change-user", id, "status=active", reason: "ticket 4712", options: ["--if-match", version])
        #expect(late.code == 1 && late.error == "changedMeanwhile" && late.message.contains("shows it as it is now"))
        let wrong = try await admin("change-user", id, "status=asleep", reason: "ticket 4713")
        #expect(wrong.code == 1 && wrong.message.contains("status"), "\(wrong.message)")
        #expect(try await admin("user", "nobody").error == "notFound")
        // The last of two pages.
        #expect(
            try answer(try await admin("list-users", "limit=1", options: ["--all"])).objects("users").first?.text(
                "name") == "bert")
        #expect(try await admin("remove-user", id, reason: "has left").isDone)
        let lines = try await server.exportedAudit()
        let record = try #require(lines.first { $0.contains("ADMIN_USER_LOCKED") })
        #expect(record.contains(#"\"uid\":\#(getuid())"#) || record.contains(#""uid":\#(getuid())"#), "\(record)")
        #expect(record.contains("ticket 4711") && lines.contains { $0.contains("für Müller") })
    }

    @Test("Without a server, also a killed one, it says how to start it and what works on the files")
    func stopped() async throws {
        let never = try await admin("list-users")
        #expect(never.code == 2 && never.error == "serverNotRunning", "\(never.message)")
        let process = try await server.start()
        #expect(try await admin("list-users").isDone)
        process.kill()
        _ = await process.ending()
        let killed = try await admin("list-users")
        #expect(killed.code == 2 && killed.error == "serverNotRunning", "\(killed.message)")
        #expect(killed.message.contains("signet-server serve --config") && killed.message.contains("work on the files"))
        let next = try await server.start()
        defer { next.kill() }
        #expect(try await admin("list-users").isDone, "past the socket that the killed one has left")
    }

    @Test("Elsewhere: TLS and a key of each role; another authority, role or key is refused with words that help")
    func elsewhere() async throws {
        // The first start makes the certificate.
        let first = try await server.start()
        let id = try answer(try await self.admin("add-user", "name=anna", reason: "new colleague")).string("id")
        first.stop()
        _ = await first.ending()
        let ports = try FreePorts(1)
        try listen(at: ports.numbers[0])
        let process = try await server.start()
        defer { process.kill() }
        func admin(
            _ key: String, _ words: [String], options: [String] = [], trusting authority: URL? = nil
        ) async throws -> CommandOutcome {
            let place = [
                "--server", "https://127.0.0.1:\(ports.numbers[0])", "--key-file", keyFile(key).path(), "--ca",
                (authority ?? server.authorityFile).path(),
            ]
            return try await server.administer("admin", options + place, names: words)
        }
        let lock = ["change-user", id, "status=locked"]
        let reason = ["--reason", "ticket 4711"]
        for role in ["admin:operator", "admin:help-desk"] {
            #expect(try answer(try await admin(role, lock, options: reason)).text("status") == "locked")
        }
        for role in ["admin:viewer", "admin:auditor"] {
            #expect(try answer(try await admin(role, ["user", id])).text("name") == "anna")
            let refused = try await admin(role, lock, options: reason)
            #expect(refused.code == 1 && refused.message.contains("change-user is for: help-desk, operator"))
        }
        #expect(try await admin("users:read", ["list-users"]).code == 1)
        let unknown = try await admin("unknown", ["list-users"])
        #expect(unknown.code == 1 && unknown.error == "unauthorized" && unknown.message.contains("--key-file"))
        let other = server.folder.appending(path: "other.pem")
        try Data(try TestCertificate.chain(from: Date(), days: 1).utf8).write(to: other)
        let untrusted = try await admin("admin:operator", ["list-users"], trusting: other)
        #expect(untrusted.code == 2 && untrusted.error == "serverUntrusted", "\(untrusted.message)")
    }

    private func keyFile(_ scope: String) -> URL {
        server.folder.appending(path: scope.replacing(":", with: "-"))
    }

    /// Configures a listener with TLS and a key for each role, one that administers nothing, and a file with a key that the
    /// server does not know.
    private func listen(at port: Int) throws {
        let scopes = ["admin:viewer", "admin:help-desk", "admin:auditor", "admin:operator", "users:read"]
        var settings = """
            administration: { port: \(port), tls: { certificate-file: data/tls/server.pem, private-key-file: \
            data/tls/server.key } }
            out-of-band:
              access-keys:

            """
        for scope in scopes + ["unknown"] {
            let name = keyFile(scope).lastPathComponent
            let key = "key-of-" + name + String(repeating: "k", count: 40)
            try PrivateFile(path: keyFile(scope).path()).write(key)
            guard scope != "unknown" else { continue }
            settings += "    - { name: \(name), key-file: \(name), scopes: [\"\(scope)\"] }\n"
        }
        try server.configure(settings)
    }
}
