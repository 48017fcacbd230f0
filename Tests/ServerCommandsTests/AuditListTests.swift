import ArgumentParser
import BackendAPI
import CommandSupport
import Foundation
import OpenID
import ServerAdministration
import ServerCore
import ServerPersistence
import StrictJSON
import TestSupport
import Testing
import UAF
import UAFService

@testable import ServerCommands

@Suite("signet-server audit list, follow, show and events")
struct AuditListTests {
    private let stage: AdministrationStage

    init() async throws { stage = try await AdministrationStage() }

    private func list(_ arguments: [String]) async throws -> CommandReport.Outcome {
        try #require(try await stage.shown(ListAudit.self, arguments).first)
    }

    private func records(_ arguments: [String]) async throws -> [JSONObject] {
        try await list(arguments).result.objects("records").map { record in
            try record.required("event") { value throws(JSONTypeError) in try value.asObject() }
        }
    }

    private func kinds(_ arguments: [String]) async throws -> [String?] {
        try await records(arguments).map { AdministrationStage.text("event", $0) }
    }

    @Test("Who signed in when: the name, the way, the authenticator and the time, on one line for each sign-in")
    func signedIn() async throws {
        #expect(try await stage.server.authenticate("anna", with: stage.phone).message.statusCode == .ok)
        let time = stage.server.clock.now().iso8601
        let outcome = try await list(["--user", "anna", "--kind", "signed-in"])
        let lines = outcome.text.description.split(separator: "\n")
        #expect(lines.count == 1)
        #expect(lines.first?.hasPrefix(time + "  main/") == true)
        #expect(
            lines.first?.contains(
                "a user signed in in an application, user anna, authenticator \(stage.phone.aaid.text)") == true)
    }

    @Test("A user is found by name and external id, also after they were removed, and no other user with them")
    func user() async throws {
        let users = [stage.anna.id.text, stage.bert.id.text]
        for name in ["anna", "anna-ext"] {
            let found = Set(try await records(["--user", name]).map { AdministrationStage.text("userId", $0) })
            #expect(found == [users[0]])
        }
        try await stage.services.users.remove(named: "anna")
        #expect(try await kinds(["--user", "anna"]).last == "ADMIN_USER_REMOVED")
        #expect(
            try await records(["--user", "anna"]).allSatisfy { AdministrationStage.text("userId", $0) == users[0] })
        #expect(try await records(["--user", "carl"]).isEmpty)
    }

    @Test("A phone and a web site are found by their identifiers; options together ask for what has all of it")
    func deviceAndClient() async throws {
        #expect(try await kinds(["--device", stage.target]) == ["DISPATCH_TARGET_CREATED"])
        var shop = RegisteredClient(id: try #require(ClientID("shop")), name: "Shop", authentication: .none)
        shop.redirects = [try #require(RedirectAddress("https://shop.example/back"))]
        #expect(try await ClientAdministration(stage.sites).add(shop))
        #expect(try await kinds(["--client", "shop"]) == ["ADMIN_CLIENT_ADDED"])
        #expect(try await kinds(["--client", "shop", "--user", "anna"]).isEmpty)
        #expect(try await kinds(["--client", "sho"]).isEmpty)
    }

    @Test("The newest records come, oldest first, within the times that are asked for; the rest is announced")
    func times() async throws {
        let (audit, clock) = (stage.server.storage.audit, stage.server.clock)
        let begin = clock.now()
        for _ in 1...1_100 {
            clock.advance(by: .seconds(1))
            try await audit.append(AuditEvent(.userLocked, at: clock.now()))
        }
        let all = ["--kind", "ADMIN_USER_LOCKED"]
        let outcome = try await list(all + ["--limit", "2"])
        #expect(try AdministrationStage.list("records", outcome).count == 2)
        #expect(outcome.result["older"] == .bool(true))
        #expect(
            outcome.text.description.contains("There are older ones: --until \((clock.now() - .seconds(1)).iso8601)"))
        let times = try await records(all + ["--limit", "2"]).map { AdministrationStage.text("ts", $0) }
        #expect(times == [(clock.now() - .seconds(1)).iso8601, clock.now().iso8601])
        let early = ["--since", begin.iso8601, "--until", (begin + .seconds(3)).iso8601]
        #expect(
            try await records(all + early).map { AdministrationStage.text("ts", $0) }
                == [(begin + .seconds(1)).iso8601, (begin + .seconds(2)).iso8601])
        #expect(try await records(all + ["--since", (clock.now() - .seconds(5)).iso8601]).count == 6)
    }

    @Test("A record that cannot be read hides no other, and is counted")
    func unreadable() async throws {
        let whole = try await records([]).count
        try await stage.server.database.transaction { connection throws(ServerPersistenceError) in
            _ = try connection.execute("UPDATE audit_records SET hash = X'00' WHERE sequence = 2", [])
        }
        let outcome = try await list([])
        #expect(try AdministrationStage.list("records", outcome).count == whole - 1)
        #expect(outcome.text.description.hasSuffix("Records that cannot be read: 1; \"audit verify\" names them."))
    }

    @Test("Followers see what happens from the time that they name, in its order, each record once, and then go on")
    func following() async throws {
        let begin = stage.server.clock.now().iso8601
        let command = try AuditFollowCommand.parse(["--kind", "ADMIN_USER_LOCKED", "--since", begin])
        try await stage.services.users.lock(named: "anna")
        let services = stage.services
        let server = try stage.connection()
        let (stream, continuation) = AsyncStream<JSONObject>.makeStream()
        let task = Task { try await command.follow(server) { continuation.yield($0) } }
        defer { task.cancel() }
        var seen: [String?] = []
        for await entry in stream {
            seen.append(AuditEntry(answer: entry)?["username"])
            if seen.count == 1 { try await services.users.lock(named: "bert") } else { break }
        }
        #expect(seen == ["anna", "bert"])
    }

    @Test("A position leads through all records of all chains once, page by page; what is no position is refused")
    func positions() async throws {
        let server = try stage.connection()
        let whole = try await stage.services.audit.newest(AuditQuery(), limit: 1_000).entries.map(\.sequence)
        var (position, seen) = (AuditPosition().text, [Int]())
        while true {
            let reply = try await server.answer(to: .init(.listAudit, query: ["position": position, "limit": "1"]))
            guard reply.member("position") != position else { break }
            position = reply.member("position")
            seen += reply.objects("records").compactMap { $0.number("sequence") }
        }
        #expect(
            seen.map { Int64($0) } == whole && AuditPosition(text: position)?.places == ["main": Int64(whole.count)])
        for wrong in ["-", "!", "W10", "eyJtYWluIjotMX0"] {
            let error = await #expect(throws: CommandFailure.self) {
                _ = try await server.answer(to: .init(.listAudit, query: ["position": wrong]))
            }
            #expect(error?.kind == .refused && error?.message.contains("position") == true, "\(wrong)")
        }
    }

    @Test("A record is shown with all its members; a hostile text in it is spelled")
    func showing() async throws {
        var event = AuditEvent(.operationReported, at: stage.server.clock.now(), userID: stage.anna.id)
        event.client = ClientContext(address: "192.0.2.1", userAgent: "a\u{1B}[2Jb")
        try await stage.server.storage.audit.append(event)
        let last = try #require(try await stage.services.audit.ends()["main"])
        let text = try #require(try await stage.shown(ShowAuditRecord.self, ["main/\(last)"]).first?.text.description)
        #expect(text.contains("a user reported that they had not asked, from 192.0.2.1"))
        #expect(text.contains(#"userAgent: a\u{1B}[2Jb"#))
        for (unknown, code) in [("main/\(last + 1)", "recordUnknown"), ("other/1", "notFound")] {
            let error = await #expect(throws: CommandFailure.self) {
                try await stage.shown(ShowAuditRecord.self, [unknown])
            }
            #expect(error?.code == code)
        }
        for wrong in ["main/0", "main", "12"] {
            #expect(throws: (any Error).self) { try OperationCommand<ShowAuditRecord>.parse([wrong]) }
        }
    }

    @Test("Times and kinds are read in every documented form, and nothing else")
    func options() throws {
        let now = Timestamp(seconds: 1_000_000)
        let forms: [(String, Int64)] = [
            ("10s", 999_990), ("2min", 999_880), ("1h", 996_400), ("2d", 827_200), ("1970-01-03", 172_800),
            ("1970-01-03T00:00:01Z", 172_801), ("1970-01-03T00:00:01.000Z", 172_801),
        ]
        for (text, seconds) in forms {
            #expect(AuditTime(argument: text)?.timestamp(at: now) == Timestamp(seconds: seconds), "\(text)")
        }
        for text in ["", "7", "d", "-1d", "7 d", "1w", "1970-13-01", "yesterday", "99999999999d"] {
            #expect(AuditTime(argument: text) == nil, "\(text)")
        }
        #expect(throws: (any Error).self) { try OperationCommand<ListAudit>.parse(["--kind", "SIGNED"]) }
        #expect(throws: (any Error).self) { try OperationCommand<ListAudit>.parse(["--limit", "0"]) }
    }

    @Test("docs/operate/audit.md has every kind of event with its meaning, and no other")
    func catalogue() throws {
        let path = URL(filePath: #filePath).appending(path: "../../../docs/operate/audit.md").standardizedFileURL
        let rows = try String(contentsOf: path, encoding: .utf8).split(separator: "\n").filter {
            $0.hasPrefix("| `") && !$0.contains("audit ")
        }
        let kinds = AuditEvent.Kind.allCases.sorted { $0.rawValue < $1.rawValue }
        #expect(kinds.allSatisfy { $0.meaning != $0.rawValue })
        #expect(rows.map(String.init) == kinds.map { "| `\($0.rawValue)` | \($0.meaning) |" })
    }
}
