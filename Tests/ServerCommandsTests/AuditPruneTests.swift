import ArgumentParser
import CommandSupport
import Foundation
import OpenID
import ServerAdministration
import ServerCore
import StrictJSON
import TestSupport
import Testing
import UAFService

@testable import ServerCommands

@Suite("signet-server audit prune")
struct AuditPruneTests {
    private func prune(
        _ stage: AdministrationStage, before time: Timestamp, into path: String
    ) async throws -> (count: Int, readers: [JSONValue]) {
        let words = ["-m", "a test", "--before", String(time.iso8601.prefix(10)), "--export", path]
        let outcome = try await AuditPruneCommand.parse(words).outcome(on: stage.connection())
        return (
            try #require(outcome.result.number("records")),
            try outcome.result.required("unreadBy") { value throws(JSONTypeError) in try value.asArray() }
        )
    }

    @Test("S-H6: old records are in the file before they are gone, and the rest verifies")
    func prune() async throws {
        let stage = try await AdministrationStage()
        let folder = try TestSupport.TemporaryFolder()
        let path = folder.path + "/old.jsonl"
        let before = try await stage.services.audit.records(of: "main")
        stage.server.clock.advance(by: .seconds(86_400))
        let later = stage.server.clock.now()
        #expect(try await prune(stage, before: later, into: path).count == before.count)
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == before.count)
        #expect(lines.first?.contains("\"sequence\":1,") == true)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        #expect(try await stage.services.audit.records(of: "main").count == 1, "the record of the pruning")
        #expect(try await stage.services.audit.verify().breaks.isEmpty)
        await #expect(throws: PosixFiles.Failure.self, "a file that exists is left alone") {
            _ = try await prune(stage, before: later, into: path)
        }
    }

    @Test("Records that a subscriber has not read stay, whichever process it belongs to (SA-12)")
    func unread() async throws {
        let stage = try await AdministrationStage()
        let folder = try TestSupport.TemporaryFolder()
        stage.server.clock.advance(by: .seconds(86_400))
        let now = stage.server.clock.now()
        try await stage.server.openID.transaction { transaction throws(ServerTransactionFailure) in
            for name in ["history", "webhooks"] {
                _ = try transaction.movePlace(of: name, in: "", from: nil, to: 0)
            }
            _ = try transaction.movePlace(of: "history", in: "main", from: nil, to: 2)
        }
        #expect(try await prune(stage, before: now, into: folder.path + "/1").count == 0)
        try await stage.server.openID.transaction { transaction throws(ServerTransactionFailure) in
            _ = try transaction.movePlace(of: "webhooks", in: "main", from: nil, to: 3)
        }
        #expect(try await prune(stage, before: now, into: folder.path + "/2").count == 2)
        #expect(try await stage.services.audit.records(of: "main").first?.sequence == 3)
        try await stage.done(ForgetSubscriber.self, ["history"])
        let failure = await #expect(throws: CommandFailure.self, "one that is unknown") {
            try await stage.done(ForgetSubscriber.self, ["history"])
        }
        #expect(failure?.code == "notFound" && failure?.message.contains("admin audit-chains") == true)
        let outcome = try await prune(stage, before: now, into: folder.path + "/3")
        #expect(outcome.count == 1 && outcome.readers == [.string("webhooks")])
    }

    @Test("A day in the future is refused, and leaves no file (SA-26)")
    func future() async throws {
        let stage = try await AdministrationStage()
        let folder = try TestSupport.TemporaryFolder()
        let later = stage.server.clock.now() + .seconds(86_400)
        await #expect(throws: CommandFailure.self) {
            _ = try await prune(stage, before: later, into: folder.path + "/old.jsonl")
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/old.jsonl"))
        #expect(try await stage.services.audit.records(of: "main").count > 1)
    }

    @Test("Only what is old and read is removed, whatever a request names, and the audit says why and by whom")
    func requests() async throws {
        let stage = try await AdministrationStage()
        stage.server.clock.advance(by: .seconds(86_400))
        let (server, now) = (try stage.connection(), stage.server.clock.now().iso8601)
        let count = try await stage.services.audit.records(of: "main").count
        func prune(_ chain: String, _ through: Int, before: String) async throws -> AdministrationReply {
            var request = AdministrationRequest(
                .pruneAudit,
                members: ["chain": .string(chain), "through": .integer(through), "before": .string(before)])
            try request.say(why: "retention")
            return try await server.answer(to: request)
        }
        for (chain, through, before) in [
            ("main", count + 1, now), ("main", 0, now), ("other", 1, now), ("main", 2, "2020-01-01T00:00:00.000Z"),
            ("main", 2, "9999-01-01T00:00:00.000Z"), ("main", 2, "now"),
        ] {
            await #expect(throws: CommandFailure.self, "\(chain) \(through) \(before)") {
                _ = try await prune(chain, through, before: before)
            }
        }
        #expect(try await stage.services.audit.records(of: "main").count == count)
        _ = try await prune("main", 2, before: now)
        #expect(try await stage.services.audit.records(of: "main").first?.sequence == 3)
        let last = try await stage.server.auditTexts().last
        #expect(
            last?.contains(#""event":"ADMIN_AUDIT_PRUNED""#) == true && last?.contains(#""note":"retention""#) == true)
        #expect(try await stage.services.audit.verify().breaks.isEmpty)
    }
}
