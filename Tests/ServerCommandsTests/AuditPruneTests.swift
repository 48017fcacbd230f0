import ArgumentParser
import CommandSupport
import Foundation
import OpenID
import ServerCore
import StrictJSON
import TestSupport
import Testing
import UAFService

@testable import ServerCommands

@Suite("signet-server audit prune")
struct AuditPruneTests {
    @Test("S-H6: old records are in the file before they are gone, and the rest verifies")
    func prune() async throws {
        let stage = try await AdministrationStage()
        let folder = try TestSupport.TemporaryFolder()
        let path = folder.path + "/old.jsonl"
        let before = try await stage.services.audit.records(of: "main")
        stage.server.clock.advance(by: .seconds(86_400))
        let later = stage.server.clock.now()
        #expect(try await AuditPruneCommand.prune(stage.services, before: later, into: path).count == before.count)
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == before.count)
        #expect(lines.first?.contains("\"sequence\":1,") == true)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        #expect(try await stage.services.audit.records(of: "main").count == 1, "the record of the pruning")
        #expect(try await stage.services.audit.verify().breaks.isEmpty)
        await #expect(throws: PosixFiles.Failure.self, "a file that exists is left alone") {
            try await AuditPruneCommand.prune(stage.services, before: later, into: path)
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
        #expect(try await AuditPruneCommand.prune(stage.services, before: now, into: folder.path + "/1").count == 0)
        try await stage.server.openID.transaction { transaction throws(ServerTransactionFailure) in
            _ = try transaction.movePlace(of: "webhooks", in: "main", from: nil, to: 3)
        }
        #expect(try await AuditPruneCommand.prune(stage.services, before: now, into: folder.path + "/2").count == 2)
        #expect(try await stage.services.audit.records(of: "main").first?.sequence == 3)
        _ = try await AuditForgetCommand.parse(["history"]).outcome(on: stage.services)
        await #expect(throws: CommandFailure.self, "one that is unknown") {
            try await AuditForgetCommand.parse(["history"]).outcome(on: stage.services)
        }
        let outcome = try await AuditPruneCommand.prune(stage.services, before: now, into: folder.path + "/3")
        #expect(outcome == .init(count: 1, readers: ["webhooks"]))
    }

    @Test("A day in the future is refused, and leaves no file (SA-26)")
    func future() async throws {
        let stage = try await AdministrationStage()
        let folder = try TestSupport.TemporaryFolder()
        let later = stage.server.clock.now() + .seconds(1)
        await #expect(throws: CommandFailure.self) {
            try await AuditPruneCommand.prune(stage.services, before: later, into: folder.path + "/old.jsonl")
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/old.jsonl"))
        #expect(try await stage.services.audit.records(of: "main").count > 1)
    }
}
