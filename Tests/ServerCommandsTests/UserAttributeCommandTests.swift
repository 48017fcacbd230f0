import ArgumentParser
import CommandSupport
import ServerCore
import StrictJSON
import TestSupport
import Testing
import UAF
import UAFService

@testable import ServerCommands

@Suite("signet-server users set, show and import")
struct UserAttributeCommandTests {
    private let stage: AdministrationStage
    private let folder: TestSupport.TemporaryFolder

    init() async throws {
        stage = try await AdministrationStage()
        folder = try TestSupport.TemporaryFolder()
    }

    private func set(_ arguments: [String]) async throws -> CommandReport.Outcome {
        try await stage.done(SetAttributes.self, arguments)
    }

    private func imported(_ text: String, _ options: [String] = []) async throws -> CommandReport.Outcome {
        let path = folder.path + "/users-\(text.utf8.count)-\(options.count)"
        try PosixFiles().writeNew(Array(text.utf8), to: path, mode: 0o600)
        return try await stage.done(ImportUsers.self, [path] + options)
    }

    @Test("Attributes are set, shown and removed, and a bad one is refused by its rule")
    func setting() async throws {
        _ = try await set(["anna", "--full-name", "Anna Müller", "--email", "anna@example.com", "--email-verified"])
        let grouped = try await set(["anna-ext", "--group", "staff", "--group", "admins"])
        #expect(AdministrationStage.result(grouped).contains("\"groups\":[\"staff\",\"admins\"]"))
        _ = try await set(["anna", "--remove", "name"])
        let shown = try #require(try await stage.shown(ShowUser.self, ["anna"]).first)
        #expect(shown.text.description.contains("anna@example.com") && shown.text.description.contains("staff, admins"))
        #expect(!shown.text.description.contains("Müller"))
        let failure = await #expect(throws: CommandFailure.self) { try await set(["anna", "--email", "wrong"]) }
        #expect(failure?.kind == .refused && failure?.message.contains("email has to be an address") == true)
        for words in [[], ["--remove", "phone"]] {
            #expect(throws: (any Error).self) {
                try OperationCommand<SetAttributes>.parse(["anna", "--reason", "a test"] + words)
            }
        }
    }

    @Test(
        "SA-24: Names from before the rule are listed, removed and suggested in a form that no terminal and no shell obeys"
    )
    func hostileNames() async throws {
        let name = "a;touch x \u{202E}nna"
        let known = try #require(UserName(name))
        try await stage.server.storage.users.add(
            User(
                id: UserID(from: stage.server.random), name: known, externalID: known,
                createdAt: stage.server.clock.now()),
            mayBeAlike: false, password: nil, event: AuditEvent(.userAdded, at: stage.server.clock.now()))
        let page = try #require(try await stage.shown(ListUsers.self).first?.text.description)
        #expect(page.contains("a;touch x \\u{202E}nna") && !page.contains("\u{202E}"))
        #expect(known.shell == "$'a;touch x \\U0000202enna'")
        let removed = try await stage.done(RemoveUser.self, [name])
        #expect(removed.text == "Removed a;touch x \\u{202E}nna.")
    }

    @Test("SA-24: An import adds no name that people take for another one")
    func alikeImport() async throws {
        let failure = await #expect(throws: CommandFailure.self) { try await imported("username\nAnna\n") }
        #expect(failure?.code == "badLines" && failure?.message.contains("--although-alike") == true)
    }

    @Test(
        "A CSV file and JSON Lines are imported alike",
        arguments: [
            """
            \u{FEFF}username,external_id,name,email,email_verified,groups\r
            carl,e-carl,"Carl ""C"", the third",carl@example.com,true,staff; admins\r
            anna,,,anna@example.com,,\r
            """,
            #"""
            {"username":"carl","external_id":"e-carl","name":"Carl \"C\", the third","email":"carl@example.com",\#
            "email_verified":true,"groups":["staff","admins"]}

            {"username":"anna","email":"anna@example.com"}
            """#,
        ])
    func importing(text: String) async throws {
        let outcome = try await imported(text)
        #expect(AdministrationStage.result(outcome) == #"{"added":1,"changed":1,"unchanged":0,"badLines":[]}"#)
        let carl = try await stage.services.users.user(named: "e-carl")
        let attributes = try await stage.services.users.attributes(of: carl)
        #expect(attributes.name == "Carl \"C\", the third")
        #expect(attributes.isEmailVerified && attributes.groups == ["staff", "admins"])
    }

    @Test("Each bad line is named with its number and nothing is imported, unless bad lines are left out")
    func badLines() async throws {
        let text = """
            username,email
            carl,carl@example.com
            ,x@example.com
            dora,wrong
            carl,again@example.com
            emil,"emil@example.com
            """
        let failure = await #expect(throws: CommandFailure.self) { try await imported(text) }
        #expect(failure?.code == "badLines")
        for number in 3...6 { #expect(failure?.message.contains("Line \(number): ") == true) }
        #expect(try await stage.services.users.list().count == 2)
        let outcome = try await imported(text, ["--skip-bad-lines"])
        #expect(
            AdministrationStage.result(outcome).hasPrefix(
                #"{"added":1,"changed":0,"unchanged":0,"badLines":[{"line":3"#))
    }

    @Test(
        "A file that is no list of users is refused as a whole",
        arguments: [
            "", "  \n", "name,email\nAnna,a@example.com\n", "username,phone\nanna,1\n", "username,username\na,b\n",
        ])
    func otherFiles(text: String) async throws {
        let failure = await #expect(throws: CommandFailure.self) { try await imported(text) }
        #expect(failure?.kind == .refused && failure?.message.contains("the body") == true)
    }
}
