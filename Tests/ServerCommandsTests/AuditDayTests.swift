import CommandSupport
import Foundation
import ServerCore
import TestSupport
import Testing
import UAFService

@testable import ServerCommands

@Suite("Days of the audit: signed ends, export, check without a server, retention")
struct AuditDayTests {
    private static let day: Duration = .seconds(86_400)

    private let stage: AdministrationStage
    private let folder: TestSupport.TemporaryFolder

    init() async throws {
        stage = try await AdministrationStage()
        folder = try TestSupport.TemporaryFolder()
    }

    private var audit: AuditService { stage.services.audit }

    /// Lets the server sign what it has, and the next day begin; returns the day that has ended.
    private func endDay() async throws -> AuditDay {
        stage.server.clock.advance(by: .seconds(60))
        await stage.services.maintain()
        let day = AuditDay(of: stage.server.clock.now())
        stage.server.clock.advance(by: Self.day)
        await stage.services.maintain()
        return day
    }

    private func export(_ day: AuditDay) async throws -> AuditDayFiles {
        let files = AuditDayFiles(of: day, in: folder.path)
        _ = try await files.write(day, of: try stage.connection())
        return files
    }

    private func change(_ day: AuditDay, _ suffix: String = ".jsonl", _ body: (String) -> String) throws {
        let path = folder.path + "/" + day.text + suffix
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try Data(body(text).utf8).write(to: URL(filePath: path))
    }

    @Test("A day has the records of its time, the next one those behind, and both check without the server")
    func twoDays() async throws {
        let count = try await audit.records(of: "main").count
        let first = try await endDay()
        try await stage.services.users.add(name: "clara")
        let second = try await endDay()
        #expect(try await export(first).verified().count == count)
        let later = try await export(second).verified()
        let text = try String(contentsOfFile: folder.path + "/\(second).jsonl", encoding: .utf8)
        #expect(text.hasPrefix(#"{"chain":"main","sequence":\#(count + 1),"#) && text.contains("ADMIN_USER_ADDED"))
        #expect(!text.contains("clara"), "a name is sealed")
        #expect(AuditDay(of: later.signedAt) == second)
        await #expect(throws: CommandFailure.self, "a day that has not ended") {
            try await export(AuditDay(of: stage.server.clock.now()))
        }
        await #expect(throws: PosixFiles.Failure.self, "a file that exists is left alone") { try await export(first) }
    }

    @Test(
        "What was changed in a segment is named",
        arguments: [
            ("kind", "main at record 1: changed since it was written"), ("drop", "main at record 2: missing"),
            ("swap", "main at record"), ("cut", "cut off after they were signed"), ("add", "not among those"),
            ("text", "line 1 is no record"),
        ])
    func changed(what: String, words: String) async throws {
        let day = try await endDay()
        let files = try await export(day)
        try change(day) { text in
            var lines = text.split(separator: "\n").map(String.init)
            switch what {
            case "kind": lines[0] = lines[0].replacing("ADMIN_USER_ADDED", with: "ADMIN_USER_REMOVED")
            case "drop": lines.remove(at: 1)
            case "swap": lines.swapAt(0, 1)
            case "cut": lines.removeLast()
            case "add": lines.append(lines[lines.count - 1].replacing(/"sequence":\d+/, with: "\"sequence\":99"))
            default: lines[0] = "text"
            }
            return lines.joined(separator: "\n")
        }
        let failure = #expect(throws: CommandFailure.self) { try files.verified() }
        #expect(failure?.code == "auditChanged" && failure?.message.contains(words) == true, "\(failure as Any)")
    }

    @Test("Signed ends of another server, without the day before, or with other keys are refused")
    func heads() async throws {
        _ = try await endDay()
        try await stage.services.users.add(name: "clara")
        let day = try await endDay()
        let files = try await export(day)
        let other = try await AdministrationStage()
        let keys = try #require(try await other.services.audit.signedHeads()).keys
        let strange = folder.path + "/other.json"
        try PosixFiles().write(keys, to: strange, mode: 0o600)
        #expect(throws: CommandFailure.self) {
            try AuditDayFiles(records: folder.path + "/\(day).jsonl", keys: strange).verified()
        }
        try change(day, ".heads.json") { $0.replacing(/,"before":"[^"]*"/, with: "") }
        let failure = #expect(throws: CommandFailure.self) { try files.verified() }
        #expect(failure?.message.contains("missing") == true)
    }

    @Test("The retention removes whole days, and what is left verifies with the day before it")
    func retention() async throws {
        let count = try await audit.records(of: "main").count
        let first = try await endDay()
        try await stage.services.users.add(name: "clara")
        let second = try await endDay()
        let limited = try await TestServer(authenticators: [try SyntheticAuthenticator()], store: .of(stage.server)) {
            $0.auditRetention = Self.day
        }
        await limited.services.maintain()
        let left = try await audit.records(of: "main")
        #expect(left.first?.sequence == Int64(count + 1))
        #expect(try await audit.verify().isUnchanged)
        #expect(try await export(second).verified().count > 0)
        #expect(try await audit.signedHeads(of: first) != nil, "the next day begins behind it")
    }

    @Test(
        "Only days of the calendar are days", arguments: ["2026-02-30", "2026-1-01", "2026-01-01T", "", "2026-13-01"])
    func days(text: String) {
        #expect(AuditDay(text) == nil)
        #expect(AuditDay("2024-02-29")?.text == "2024-02-29")
    }
}
