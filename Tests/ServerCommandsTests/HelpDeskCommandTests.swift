import ArgumentParser
import BackendAPI
import CommandSupport
import Foundation
import ServerCore
import ServerPersistence
import StrictJSON
import TestSupport
import Testing
import UAF
import UAFService

@testable import ServerCommands

@Suite("signet-server for the help desk: users, devices, sessions and the audit")
struct HelpDeskCommandTests {
    private let stage: AdministrationStage

    init() async throws {
        stage = try await AdministrationStage()
    }

    private func signIn() async throws -> StatusCode {
        try await stage.server.authenticate("anna", with: stage.phone).message.statusCode
    }

    @Test("S-H7: A locked user signs in with nothing, an unlocked one again; unknown users are refused")
    func lock() async throws {
        let outcome = try await stage.done(LockUser.self, ["anna-ext"])
        #expect(AdministrationStage.result(outcome).contains(#""status":"locked""#))
        #expect(try await signIn() == .forbidden)
        try await stage.done(UnlockUser.self, ["anna"])
        #expect(try await signIn() == .ok)
        #expect(try await Set(["ADMIN_USER_LOCKED", "ADMIN_USER_UNLOCKED"]).isSubset(of: stage.server.auditKinds()))
        let failure = await #expect(throws: CommandFailure.self) { try await stage.done(LockUser.self, ["eve"]) }
        #expect(failure?.code == "notFound" && failure?.message.contains("users list") == true)
        #expect(OperationCommand<LockUser>.message(for: refusal(of: ["anna"])).contains("--reason"))
        #expect(OperationCommand<LockUser>.message(for: refusal(of: ["anna", "-m", "a"])).contains("3 to 256"))
    }

    private func refusal(of arguments: [String]) -> any Error {
        do {
            _ = try OperationCommand<LockUser>.parse(arguments)
            return CommandFailure.refused("taken", "taken")
        } catch {
            return error
        }
    }

    @Test("S-H7: A password is set from a file only, and ends all sessions; a missing file changes nothing")
    func password() async throws {
        let folder = try TemporaryFolder(named: "signet-password")
        let file = folder.url.appending(path: "password")
        try Data("new password\n".utf8).write(to: file)
        let login = try await stage.server.authenticate("anna", with: stage.phone)
        try await stage.done(SetPassword.self, ["anna", "--password-file", file.path()])
        let record = try await stage.server.storage.users.password(of: stage.anna.id)
        #expect(record != nil)
        #expect(try await stage.services.tokens.grant(forToken: login.message.token(.jwt) ?? "") == nil)
        #expect(try await stage.server.auditKinds().last == "ADMIN_PASSWORD_SET")
        #expect(throws: (any Error).self) {
            _ = try OperationCommand<SetPassword>.parse(["anna", "-m", "a test", "--password", "x"])
        }
        await #expect(throws: CommandFailure.self) {
            try await stage.done(SetPassword.self, ["anna", "--password-file", file.path() + "x"])
        }
    }

    @Test("S-H7: The end of all sessions of a user reaches tokens and cookies of that user alone")
    func sessions() async throws {
        let login = try await stage.server.authenticate("anna", with: stage.phone)
        let cookie = try #require(login.cookie).value
        try await stage.done(EndSessions.self, ["--user", "bert"])
        #expect(try await stage.services.sessions.grant(forCookie: cookie) != nil)
        try await stage.done(EndSessions.self, ["--user", "anna"])
        #expect(try await stage.services.sessions.grant(forCookie: cookie) == nil)
        #expect(try await stage.services.tokens.grant(forToken: login.message.token(.jwt) ?? "") == nil)
        #expect(try await stage.server.auditKinds().last == "ADMIN_SESSIONS_ENDED")
        #expect(try await signIn() == .ok)
    }

    @Test("O-H6: A lost phone is removed by user and name or by id, and keys on no known phone are listed")
    func devices() async throws {
        let page = try #require(try await stage.shown(ListDevices.self, ["--user", "anna"]).first)
        #expect(page.result.objects("devices").map { $0.text("name") } == ["Anna's phone"])
        #expect(page.result.objects("credentialsElsewhere").count == 1)
        #expect(page.text.description.contains("KEY ON NO KNOWN DEVICE"))
        let remove = ["--user", "anna", "--name", "Anna's phone"]
        let outcome = try await stage.done(RemoveDevice.self, remove)
        #expect(outcome.text.description.contains("on an unknown phone"))
        #expect(try await stage.services.targets.targets(ofUserNamed: "anna").isEmpty)
        #expect(try await stage.server.auditKinds().last == "ADMIN_DEVICE_REMOVED")
        await #expect(throws: ServerError.targetUnknown) { try await stage.done(RemoveDevice.self, remove) }
        let bert = try #require(try await stage.services.targets.targets(ofUserNamed: "bert").first)
        try await stage.done(RemoveDevice.self, ["--", bert.id.text])
        #expect(try await stage.services.targets.targets(ofUserNamed: "bert").isEmpty)
    }

    @Test(
        "A removal of a device without saying which is wrong usage",
        arguments: [[], ["--user", "anna"], ["--name", "phone"], ["id", "--user", "anna", "--name", "phone"]])
    func usage(arguments: [String]) {
        #expect(throws: (any Error).self) {
            _ = try OperationCommand<RemoveDevice>.parse(["--reason", "a test"] + arguments)
        }
    }

    @Test("S-H7: The audit is exported line by line, goes on behind a record, and a changed record is found")
    func audit() async throws {
        var lines: [String] = []
        let server = try stage.connection()
        try await AuditExportCommand.parse([]).write(from: server) { lines.append($0) }
        let records = try lines.map { try JSONParser.parse(Array($0.utf8)).asObject() }
        #expect(try await records.count == stage.server.auditKinds().count)
        #expect(records.first?["sequence"] == .integer(1) && records.first?["chain"] == .string("main"))
        var rest: [String] = []
        try await AuditExportCommand.parse(["--chain", "main", "--after", "2"]).write(from: server) { rest.append($0) }
        #expect(rest == Array(lines.dropFirst(2)))
        var heads: [String] = []
        try await AuditExportCommand.parse(["--heads"]).write(from: server) { heads.append($0) }
        #expect(heads.count == 1 && heads.first?.contains(#""keys":{"keys":[{"#) == true)
        let verified = try await AuditVerifyCommand.parse([]).outcome(on: server)
        #expect(verified.text.description.contains("Proved by the key of this server; ends signed at "))
        try await stage.server.database.transaction { connection throws(ServerPersistenceError) in
            _ = try connection.execute("UPDATE audit_records SET event = $1 WHERE sequence = 2", [.blob([0x7B, 0x7D])])
        }
        let failure = await #expect(throws: CommandFailure.self) {
            _ = try await AuditVerifyCommand.parse([]).outcome(on: server)
        }
        #expect(failure?.code == "auditChanged" && failure?.message.contains("main at record 2") == true)
    }

    @Test("S-L12: The actor is the owner of the process, with the person behind sudo where there is one")
    func actor() throws {
        let actor = AuditActor.ofProcess(environment: ["SUDO_USER": "carla"])
        #expect(actor.userID == getuid() && actor.sudoUser == "carla")
        var event = AuditEvent(.userLocked, at: stage.server.clock.now())
        event.actor = actor
        let text = String(decoding: event.json, as: UTF8.self)
        #expect(text.contains("\"actor\":{\"uid\":\(getuid())") && text.contains("\"sudoUser\":\"carla\""))
        #expect(AuditActor.ofProcess(environment: [:]).sudoUser == nil)
    }
}
