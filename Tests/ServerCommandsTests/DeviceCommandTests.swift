import ArgumentParser
import BackendAPI
import CommandSupport
import ServerCore
import StrictJSON
import TestSupport
import Testing
import UAF
import UAFService

@testable import ServerCommands

@Suite("signet-server devices: list, rename, unset-push")
struct DeviceCommandTests {
    private let stage: AdministrationStage

    init() async throws {
        stage = try await AdministrationStage()
    }

    private func list(_ arguments: [String] = []) async throws -> [JSONObject] {
        try await stage.shown(ListDevices.self, arguments).flatMap { $0.result.objects("devices") }
    }

    @Test("The list has the phones of all users, or of the one named by name or external id")
    func listing() async throws {
        let all = try await list()
        #expect(all.map { AdministrationStage.text("userName", $0) } == ["anna", "bert"])
        let one = try #require(try await list(["--user", "anna-ext"]).first)
        #expect(AdministrationStage.text("id", one) == stage.target)
        #expect(AdministrationStage.text("name", one) == "Anna's phone")
        #expect(AdministrationStage.text("push", one) == "on")
        #expect(AdministrationStage.text("dispatcher", one) == "firebase-cloud-messaging")
        await #expect(throws: CommandFailure.self) { _ = try await list(["--user", "eve"]) }
    }

    @Test("A page has as many users as asked for and says where the next begins; the pages have all phones once")
    func pages() async throws {
        let first = try #require(try await stage.shown(ListDevices.self, ["--limit", "1"]).first)
        #expect(first.result.objects("devices").count == 1 && first.result.text("next") == "anna")
        #expect(first.text.description.contains("There are more: --after=anna, or --all."))
        // A name may begin with a hyphen, which is taken for an option in a word of its own.
        #expect(try await list(["--after=-x"]).count == 2)
        #expect(try await list(["--after", "anna"]).map { AdministrationStage.text("userName", $0) } == ["bert"])
        let pages = try await stage.shown(ListDevices.self, ["--limit", "1", "--all"])
        #expect(pages.count == 2 && pages.last?.result["next"] == nil)
        #expect(!pages.contains { $0.text.description.contains("--after") })
        #expect(try await list(["--limit", "1", "--all"]).count == 2)
    }

    @Test("A page without users, or with more than a server reads at once, is refused", arguments: ["0", "1001"])
    func pageSizes(limit: String) {
        #expect(throws: (any Error).self) { try OperationCommand<ListDevices>.parse(["--limit", limit]) }
    }

    @Test("The table for people has a line for each phone, and names cannot play with the terminal")
    func table() async throws {
        try await stage.services.changeDevice(stage.target, name: DeviceName("\u{202E}enohp"))
        let text = try #require(try await stage.shown(ListDevices.self).first?.text.description)
        #expect(text.split(separator: "\n").prefix { !$0.hasPrefix("KEY ON") }.count == 3)
        #expect(text.contains("\\u{202E}enohp"))
        #expect(!text.contains("\u{202E}"))
    }

    @Test("A target gets another name, which the audit keeps; unknown targets and taken names are refused")
    func rename() async throws {
        let outcome = try await stage.done(RenameDevice.self, ["--", stage.target, "Old phone"])
        #expect(outcome.text == "The phone is called Old phone now.")
        #expect(try await list().first?["name"] == .string("Old phone"))
        #expect(try await stage.server.auditKinds().last == "ADMIN_DISPATCH_TARGET_RENAMED")
        try await stage.server.addTarget(of: stage.anna, on: SyntheticDevice("three"), named: "New phone")
        for (words, reason) in [
            ([stage.target, "New phone"], "another phone of the user has the name"),
            (["unknown", "Phone"], "devices list"), ([stage.target, "line\nfeed"], "name"),
        ] {
            let failure = await #expect(throws: CommandFailure.self) {
                try await stage.done(RenameDevice.self, ["--"] + words)
            }
            #expect(failure?.kind == .refused && failure?.message.contains(reason) == true)
        }
    }

    @Test("The push destination is forgotten, which the audit keeps; the other phones keep theirs")
    func unsetPush() async throws {
        try await stage.done(UnsetPush.self, ["--", stage.target])
        #expect(try await list().map { AdministrationStage.text("push", $0) } == ["unset", "on"])
        #expect(try await stage.server.auditKinds().last == "ADMIN_PUSH_UNSET")
        await #expect(throws: CommandFailure.self) { try await stage.done(UnsetPush.self, ["unknown"]) }
    }
}
