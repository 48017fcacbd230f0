import CommandSupport
import DemoCommands
import DeviceCommands
import Foundation
import StrictJSON
import Testing

/// The ways back of docs/operate/recovery.md, each from its loss to the next sign-in, under the default authorization.
@Suite("Ways back from every loss, with real processes", .serialized)
struct RecoveryStoryTests {
    /// A server with its default rules and one user with a phone.
    private struct Stage {
        static let user = ["--user", "anna"]
        static let reason = ["--reason", "a test"]

        let installation: Installation
        let server: ChildProcess
        let phone: PhoneProcess

        init() async throws {
            installation = try Installation()
            server = try await installation.server.start()
            let (phone, registration) = try await installation.registered("anna")
            self.phone = phone
            try #require(registration.isDone, "\(registration.message)")
        }

        /// A further phone.
        func phone(_ name: String) async throws -> PhoneProcess {
            try await installation.phone(name, ["--name", name])
        }

        func administer(_ command: String, _ arguments: [String] = user) async throws -> CommandOutcome {
            let outcome = try await installation.server.administer(command, arguments)
            #expect(outcome.isDone, "\(outcome.message)")
            return outcome
        }

        /// How many keys the server has of the user.
        func keyCount() async throws -> Int {
            try await administer("credentials list").result.objects("credentials").count
        }

        /// Types wrong PINs until the phone is locked, and makes sure that it is.
        func lock() async throws -> CommandOutcome {
            let wrong = installation.scratch.url.appending(path: "wrong-pin")
            try PrivateFile(path: wrong.path()).write("618035")
            let count = try await WrongPINs.lock(phoneIn: phone.folder, of: "anna", wrongPINFile: wrong)
            #expect(count >= 5)
            let locked = try await installation.authenticate(phone, "anna")
            #expect(locked.fidoErrorCode == 0x10, "\(locked.message)")
            return locked
        }

        /// Registers with the password of the user at the server.
        func register(_ phone: PhoneProcess) async throws -> CommandOutcome {
            try await installation.register(phone, "anna")
        }

        /// Registers with the token of a sign-in on another phone.
        func register(_ phone: PhoneProcess, allowedBy other: PhoneProcess) async throws -> CommandOutcome {
            let token = installation.scratch.url.appending(path: "token").path()
            let signedIn = try await other.run(
                "authenticate", installation.authentication(of: "anna") + ["--token-out", token])
            #expect(signedIn.isDone, "\(signedIn.message)")
            return try await phone.run("register", installation.authentication(of: "anna") + ["--token-file", token])
        }

        /// Scans an invitation of the help desk.
        func scanInvitation(_ phone: PhoneProcess) async throws -> CommandOutcome {
            let picture = installation.scratch.url.appending(path: "invitation.png").path()
            _ = try await administer(
                "dispatch register", Self.user + ["--out", picture, "--reason", "a test"])
            return try await phone.run("scan", [picture, "--pin-file", installation.pinFile.path()])
        }

        func kinds(of command: String, _ member: String, _ arguments: [String] = []) async throws -> [String] {
            let outcome = try await phone.run(command, arguments)
            #expect(outcome.isDone, "\(outcome.message)")
            return outcome.result.objects(member).compactMap { $0.text("kind") }
        }

        func expectSignIn(_ phone: PhoneProcess) async throws {
            let outcome = try await installation.authenticate(phone, "anna")
            #expect(outcome.isDone, "\(outcome.message)")
        }
    }

    @Test("O-H5: a locked PIN: the phone deregisters itself, and the password registers it again")
    func lockedPIN() async throws {
        let stage = try await Stage()
        defer { stage.server.kill() }
        let locked = try await stage.lock()
        #expect(locked.message.contains("deregister --user NAME --jws"))
        // In the other order nothing is lost either: the server says what it wants.
        let early = try await stage.register(stage.phone)
        #expect(early.uafStatus == 1401, "\(early.message)")
        let farewell = try await stage.phone.run("deregister", Stage.user + ["--jws"])
        #expect(farewell.isDone && farewell.result.number("removedKeys") == 1, "\(farewell.message)")
        #expect(farewell.result["serverTold"] == .bool(true), "N-L3: the server has removed the key")
        #expect(farewell.result["owedDeletionTold"] == .bool(false))
        #expect(try await stage.keyCount() == 0)
        let again = try await stage.register(stage.phone)
        #expect(again.isDone, "\(again.message)")
        try await stage.expectSignIn(stage.phone)
    }

    @Test("O-H5: deleted here first: the next registration tells the server, and the password is enough")
    func deletedThenRegistered() async throws {
        let stage = try await Stage()
        defer { stage.server.kill() }
        _ = try await stage.lock()
        #expect(try await stage.phone.run("delete-local", Stage.user).isDone)
        #expect(try await stage.keyCount() == 1)
        let again = try await stage.register(stage.phone)
        #expect(again.isDone, "\(again.message)")
        #expect(try await stage.keyCount() == 1)
        try await stage.expectSignIn(stage.phone)
        #expect(try await stage.kinds(of: "check", "mismatches").isEmpty)
    }

    @Test("O-H5: after a local deletion check finds what the server still has, and sync removes it")
    func deletedThenSynced() async throws {
        let stage = try await Stage()
        defer { stage.server.kill() }
        #expect(try await stage.phone.run("delete-local", Stage.user).isDone)
        let found = ["MissingAuthenticatorInMobileDevice", "MissingDeviceInformationInMobileDevice"]
        #expect(try await stage.kinds(of: "check", "mismatches").sorted() == found)
        #expect(try await stage.kinds(of: "sync", "left", ["--dry-run"]).sorted() == found)
        #expect(try await stage.keyCount() == 1)
        #expect(try await stage.kinds(of: "sync", "mended", ["--remove"]).sorted() == found)
        #expect(try await stage.keyCount() == 0)
        #expect(try await stage.kinds(of: "check", "mismatches").isEmpty)
        #expect(try await stage.register(stage.phone).isDone)
    }

    @Test("O-H5: deregister --jws after a local deletion removes the key at the server, and says when there is none")
    func deletedThenDeregistered() async throws {
        let stage = try await Stage()
        defer { stage.server.kill() }
        #expect(try await stage.phone.run("delete-local", Stage.user).isDone)
        let told = try await stage.phone.run("deregister", Stage.user + ["--jws"])
        #expect(told.isDone && told.result["serverTold"] == .bool(true), "\(told.message)")
        #expect(told.result["owedDeletionTold"] == .bool(true) && told.result.number("removedKeys") == 0)
        #expect(try await stage.keyCount() == 0)
        let nothing = try await stage.phone.run("deregister", Stage.user + ["--jws"])
        #expect(nothing.result["serverTold"] == .bool(false) && nothing.result.number("removedKeys") == 0)
        #expect(try await stage.register(stage.phone).isDone)
    }

    @Test("O-H5: a deleted key of a user with another phone: an invitation registers anew, and the old key goes")
    func deletedThenInvited() async throws {
        let stage = try await Stage()
        defer { stage.server.kill() }
        let tablet = try await stage.phone("tablet")
        #expect(try await stage.register(tablet, allowedBy: stage.phone).isDone)
        #expect(try await stage.phone.run("delete-local", Stage.user).isDone)
        let refused = try await stage.register(stage.phone)
        #expect(refused.uafStatus == 1401 && refused.message.contains("invitation"), "\(refused.message)")
        let invited = try await stage.scanInvitation(stage.phone)
        #expect(invited.isDone, "\(invited.message)")
        try await stage.expectSignIn(stage.phone)
        try await stage.expectSignIn(tablet)
        #expect(try await stage.keyCount() == 2)
    }

    @Test("O-H5: a key that the server has lost: the phone says what helps, and it helps")
    func forgottenByServer() async throws {
        let stage = try await Stage()
        defer { stage.server.kill() }
        _ = try await stage.administer("credentials remove", Stage.user + ["--all"] + Stage.reason)
        let refused = try await stage.installation.authenticate(stage.phone, "anna")
        #expect(refused.code == 1, "\(refused.message)")
        let farewell = try await stage.phone.run("deregister", Stage.user + ["--jws"])
        #expect(farewell.isDone, "\(farewell.message)")
        #expect(try await stage.register(stage.phone).isDone)
        try await stage.expectSignIn(stage.phone)
    }

    @Test("O-H6: a lost phone: the help desk removes it, the other phone stays, an invitation registers a new one")
    func lostPhone() async throws {
        let stage = try await Stage()
        defer { stage.server.kill() }
        let second = try await stage.phone("second")
        #expect(try await stage.register(second, allowedBy: stage.phone).isDone)
        let devices = try await stage.administer("devices list").result.objects("devices")
        #expect(devices.count == 2)
        let lost = try #require(devices.first { $0.text("name") != "second" }?.text("name"))
        _ = try await stage.administer("devices remove", Stage.user + ["--name", lost] + Stage.reason)
        #expect(try await stage.keyCount() == 1)
        let refused = try await stage.installation.authenticate(stage.phone, "anna")
        #expect(refused.code == 1, "\(refused.message)")
        try await stage.expectSignIn(second)
        let new = try await stage.phone("new")
        #expect(try await stage.scanInvitation(new).isDone)
        try await stage.expectSignIn(new)
        // The phone is found again: what it still has goes, and it comes back like a new one.
        #expect(try await stage.phone.run("deregister", Stage.user + ["--jws"]).isDone)
        #expect(try await stage.scanInvitation(stage.phone).isDone)
        try await stage.expectSignIn(stage.phone)
    }

    @Test("O-H6: a second phone: the password alone is refused in words that help, a sign-in or an invitation is not")
    func secondPhone() async throws {
        let stage = try await Stage()
        defer { stage.server.kill() }
        let (second, third) = (try await stage.phone("second"), try await stage.phone("third"))
        let refused = try await stage.register(second)
        #expect(refused.uafStatus == 1401)
        #expect(refused.message.contains("--token-file") && refused.message.contains("dispatch register"))
        #expect(try await stage.register(second, allowedBy: stage.phone).isDone)
        #expect(try await stage.scanInvitation(third).isDone)
        for phone in [stage.phone, second, third] { try await stage.expectSignIn(phone) }
    }

    @Test("O-H6: a reinstallation has lost everything: the help desk removes the phone of before and invites it anew")
    func reinstallation() async throws {
        let stage = try await Stage()
        defer { stage.server.kill() }
        let devices = try await stage.administer("devices list").result.objects("devices")
        let name = try #require(devices.first?.text("name"))
        try FileManager.default.removeItem(at: stage.phone.folder)
        let reinstalled = try await stage.installation.phone(
            stage.phone.folder.lastPathComponent, ["--name", name])
        #expect(try await stage.register(reinstalled).uafStatus == 1401)
        _ = try await stage.administer("devices remove", Stage.user + ["--name", name] + Stage.reason)
        #expect(try await stage.scanInvitation(reinstalled).isDone)
        try await stage.expectSignIn(reinstalled)
        let after = try await stage.administer("devices list").result.objects("devices")
        #expect(after.compactMap { $0.text("name") } == [name])
    }

    @Test("O-H5, O-H6: the demonstration plays locked PIN, lost phone and new phone as told")
    func demonstration() async throws {
        let installation = try Installation()
        let demo = try ChildProcess(
            installation.programs.phone, ["demo", "recovery", "--format", "json"], folder: installation.scratch.url,
            name: "demo")
        let ending = await demo.ending()
        #expect(ending.code == 0, "\(ending.output)")
        for step in ["pin-locked", "deregistered-by-phone", "phone-removed", "new-phone-invited", "server-told"] {
            #expect(ending.output.contains("\"\(step)\""))
        }
    }
}
