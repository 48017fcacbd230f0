import ArgumentParser
import CommandSupport
import Foundation
import ServerCore
import StrictJSON
import TestSupport
import Testing
import UAFService

@testable import ServerCommands

@Suite("signet-server users export, users erase: one person's data")
struct PersonCommandTests {
    private let stage: AdministrationStage
    private let folder: TestSupport.TemporaryFolder

    init() async throws {
        stage = try await AdministrationStage()
        folder = try TestSupport.TemporaryFolder()
    }

    private func erase(_ words: [String]) async throws -> CommandReport.Outcome {
        try #require(try await stage.shown(ErasePerson.self, words).first)
    }

    @Test("The export is a file for programs and one for people, of this person alone; no file is written over")
    func export() async throws {
        let path = folder.path + "/anna.json"
        let words = ["anna", "--out", path]
        let outcome = try #require(try await stage.shown(ExportPerson.self, words).first)
        #expect(outcome.result["userId"] == .string(stage.anna.id.text))
        let json = try JSONParser.parse([UInt8](Data(contentsOf: URL(filePath: path))), limits: .document).asObject()
        #expect(try json["account"]?.asObject()["name"] == .string("anna"))
        let page = String(decoding: try Data(contentsOf: URL(filePath: path + ".html")), as: UTF8.self)
        #expect(page.contains("What is kept of me") && page.contains("anna-ext") && page.contains("Anna&#39;s phone"))
        #expect(!page.contains("bert") && !page.contains("/assets/"))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        await #expect(throws: PosixFiles.Failure.self) { _ = try await stage.shown(ExportPerson.self, words) }
    }

    @Test("Nothing is erased without --yes, for a reason that names the person, or of a person who is not there")
    func refused() async throws {
        let before = try await stage.server.auditKinds()
        for words in [["anna", "--reason", "asked"], ["anna", "--reason", "anna asked", "--yes"]] {
            await #expect(throws: CommandFailure.self) { _ = try await erase(words) }
        }
        let unknown = await #expect(throws: CommandFailure.self) {
            _ = try await erase(["eve", "--reason", "asked", "--yes"])
        }
        #expect(unknown?.code == "notFound")
        #expect(throws: (any Error).self) {
            _ = try OperationCommand<ErasePerson>.parse(["anna", "--reason", "ab", "--yes"])
        }
        #expect(try await stage.server.auditKinds() == before)
    }

    @Test("An erased person is an identifier in audit list, show and export, and the audit verifies")
    func erased() async throws {
        _ = try await erase(["anna", "--reason", "asked on paper", "--yes"])
        let lines = try #require(try await stage.shown(ListAudit.self).first?.text.description)
        #expect(lines.contains("user \(stage.anna.id.text), erased") && lines.contains("because asked on paper"))
        #expect(!lines.contains("anna") && lines.contains("user bert"))
        let show = try await stage.shown(ShowAuditRecord.self, ["main/1"]).first?.text.description
        #expect(show?.contains("erased: true") == true)
        var exported: [String] = []
        let server = try stage.connection()
        try await AuditExportCommand.parse([]).write(from: server) { exported.append($0) }
        #expect(exported.first?.contains(#""opened":{"erased":true}"#) == true)
        #expect(exported.contains { $0.contains(#""opened":{"username":"bert""#) })
        #expect(exported.allSatisfy { !$0.contains("anna") })
        #expect(
            try await AuditVerifyCommand.parse([]).outcome(on: server).text.description.contains("unchanged"))
    }

    @Test("One name that several people had one after the other has to be told apart by identifiers")
    func several() async throws {
        try await stage.services.users.remove(named: "anna")
        let next = try await stage.services.users.add(name: "anna")
        try await stage.services.users.remove(named: "anna")
        await #expect(throws: CommandFailure.self) { _ = try await erase(["anna", "--reason", "asked", "--yes"]) }
        _ = try await erase(["--reason", "asked", "--yes", "--", next.id.text])
        let outcome = try await erase(["anna", "--reason", "asked", "--yes"])
        #expect(outcome.result["erased"] == .string(stage.anna.id.text))
    }
}
