import ArgumentParser
import CommandSupport
import ServerCore
import StrictJSON
import TestSupport
import Testing
import UAF
import UAFService

@testable import ServerCommands

@Suite("signet-server targets")
struct TargetCommandTests {
    private let stage: AdministrationStage

    init() async throws {
        stage = try await AdministrationStage()
    }

    private func list(_ arguments: [String] = []) async throws -> [JSONObject] {
        let command = try TargetsListCommand.parse(arguments)
        let page = try await command.page(on: stage.services, after: command.paging.position)
        return try AdministrationStage.list("targets", page.outcome)
    }

    @Test("The list has the phones of all users, or of the one named by name or external id")
    func listing() async throws {
        let all = try await list()
        #expect(all.map { AdministrationStage.text("user", $0) } == ["anna", "bert"])
        let one = try #require(try await list(["--user", "anna-ext"]).first)
        #expect(AdministrationStage.text("id", one) == stage.target)
        #expect(AdministrationStage.text("name", one) == "Anna's phone")
        #expect(AdministrationStage.text("push", one) == "on")
        #expect(AdministrationStage.text("dispatcher", one) == "firebase-cloud-messaging")
        #expect(one["lastUsedAt"] == .null)
        await #expect(throws: ServerError.userUnknown) { _ = try await list(["--user", "eve"]) }
    }

    @Test("A page has as many users as asked for and says where the next begins; the pages have all phones once")
    func pages() async throws {
        let first = try await TargetsListCommand.parse(["--limit", "1"]).page(on: stage.services, after: nil)
        #expect(try AdministrationStage.list("targets", first.outcome).count == 1)
        let next = try #require(first.next)
        #expect(first.outcome.result["next"] == .string(next.text))
        // A name may begin with a hyphen, which is taken for an option in a word of its own.
        #expect(first.outcome.text.description.contains("--after="))
        #expect(try TargetsListCommand.parse(["--after=-x"]).paging.position?.text == "-x")
        let rest = try await list(["--after", next.text])
        #expect(rest.map { AdministrationStage.text("user", $0) } == ["bert"])
        let whole = try await TargetsListCommand.parse(["--limit", "1000"]).page(on: stage.services, after: nil).outcome
        #expect(whole.result["next"] == .null)
        #expect(!whole.text.description.contains("--after"))
    }

    @Test("A page without users, or with more than a server reads at once, is refused", arguments: ["0", "10001"])
    func pageSizes(limit: String) {
        #expect(throws: (any Error).self) { try TargetsListCommand.parse(["--limit", limit]) }
    }

    @Test("The table for people has a line for each phone, and names cannot play with the terminal")
    func table() async throws {
        try await stage.services.targets.rename(stage.target, to: "\u{202E}enohp")
        let text = try await TargetsListCommand.parse([]).page(on: stage.services, after: nil).outcome.text.description
        #expect(text.split(separator: "\n").count == 3)
        #expect(text.contains("\\u{202E}enohp"))
        #expect(!text.contains("\u{202E}"))
    }

    @Test("A target gets another name, which the audit keeps; unknown targets and taken names are refused")
    func rename() async throws {
        let outcome = try await TargetsRenameCommand.parse([stage.target, "Old phone"]).outcome(on: stage.services)
        #expect(AdministrationStage.result(outcome) == "{\"id\":\"\(stage.target)\",\"name\":\"Old phone\"}")
        #expect(try await list().first?["name"] == .string("Old phone"))
        #expect(try await stage.server.auditKinds().last == "ADMIN_DISPATCH_TARGET_RENAMED")
        try await stage.server.addTarget(of: stage.anna, on: SyntheticDevice("three"), named: "New phone")
        await #expect(throws: ServerError.targetNameInUse) {
            _ = try await TargetsRenameCommand.parse([stage.target, "New phone"]).outcome(on: stage.services)
        }
        await #expect(throws: ServerError.targetUnknown) {
            _ = try await TargetsRenameCommand.parse(["unknown", "Phone"]).outcome(on: stage.services)
        }
        await #expect(throws: ServerError.invalidName) {
            _ = try await TargetsRenameCommand.parse([stage.target, "line\nfeed"]).outcome(on: stage.services)
        }
    }

    @Test("The push destination is forgotten, which the audit keeps; the other phones keep theirs")
    func unsetPush() async throws {
        _ = try await TargetsUnsetPushCommand.parse([stage.target]).outcome(on: stage.services)
        #expect(try await list().map { AdministrationStage.text("push", $0) } == ["unset", "on"])
        #expect(try await stage.server.auditKinds().last == "ADMIN_PUSH_UNSET")
        await #expect(throws: ServerError.targetUnknown) {
            _ = try await TargetsUnsetPushCommand.parse(["unknown"]).outcome(on: stage.services)
        }
    }
}
