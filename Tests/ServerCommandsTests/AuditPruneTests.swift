import CommandSupport
import Foundation
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
        let later = stage.server.clock.now() + .seconds(86_400)
        #expect(try await AuditPruneCommand.prune(stage.services, before: later, into: path) == before.count)
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
}
