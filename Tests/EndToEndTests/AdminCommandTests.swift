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
        #expect(try await admin("user", "absent").error == "notFound")
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

    @Test(
        "Without a server, also a killed one, commands work on the files; beside one that does not answer they refuse")
    func stopped() async throws {
        let reason = ["--reason", "a test"]
        #expect(try await server.administer("admin", reason, names: ["add-user", "name=anna"]).isDone)
        #expect(try await server.administer("users lock", reason, names: ["anna"]).isDone)
        let process = try await server.start()
        #expect(try await admin("list-users").isDone)
        process.kill()
        _ = await process.ending()
        #expect(try await server.administer("users unlock", reason, names: ["anna"]).isDone)
        let next = try await server.start()
        defer { next.kill() }
        let shown = try await server.administer("users show", names: ["anna"])
        #expect(shown.result.text("status") == "active", "past the socket that the killed one has left")
        let sockets = server.folder.appending(path: "data/signet.sqlite.processes")
        for file in try FileManager.default.contentsOfDirectory(atPath: sockets.path()) where file.hasSuffix(".admin") {
            try FileManager.default.removeItem(at: sockets.appending(path: file))
        }
        for refused in [
            try await admin("list-users"), try await server.administer("users remove", reason, names: ["anna"]),
        ] {
            #expect(refused.code == 2 && refused.error == "serverUnreachable", "\(refused.message)")
            #expect(refused.message.contains("run the command on its machine"))
        }
    }

    @Test("Short commands ask the running server: names, pages, bad lines of an import, and what has another name now")
    func short() async throws {
        let process = try await server.start()
        defer { process.kill() }
        let reason = ["-m", "a test"]
        let file = server.folder.appending(path: "people.csv")
        try Data("username,email\ncarl,carl@example.com\ndora,wrong\n".utf8).write(to: file)
        let bad = try await server.administer("users import", reason, names: [file.path()])
        #expect(bad.code == 1 && bad.error == "badLines" && bad.message.contains("Line 3: email"), "\(bad.message)")
        #expect(try await server.administer("users import", reason + ["--skip-bad-lines"], names: [file.path()]).isDone)
        #expect(try await server.administer("users set", reason + ["--group", "staff"], names: ["carl"]).isDone)
        #expect(try await server.administer("users lock", reason, names: ["carl"]).isDone)
        let unknown = try await server.administer("users lock", reason, names: ["eve"])
        #expect(unknown.code == 1 && unknown.message.contains("signet-server users list"), "\(unknown.message)")
        let listed = try await server.administer("users list").result.objects("users")
        #expect(listed.map { $0.text("name") } == ["carl"] && listed.first?.text("status") == "locked")
        #expect(try await server.exportedAudit().filter { $0.contains("a test") }.count >= 3)
        let moved = try await ChildProcess(
            installation.programs.server, ["targets", "list"], folder: server.folder, name: "moved"
        ).ending()
        #expect(
            moved.code == 64 && moved.complaints.contains("is \"signet-server devices\" now"), "\(moved.complaints)")
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
