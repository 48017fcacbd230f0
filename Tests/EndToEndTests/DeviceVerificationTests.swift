import CommandSupport
import DemoCommands
import DeviceCommands
import Foundation
import StrictJSON
import TestSupport
import Testing

@Suite("Phones whose user the machine verifies", .serialized)
struct DeviceVerificationTests {
    private static let finger = "right-index-finger"

    @Test(
        "The passcode of the account registers and signs in; a wrong one is tried once",
        .enabled(if: PAMStage.isInstalled, "\(PAMStage.absence)"))
    func passcode() async throws {
        let passwords = try PAMStage()
        try passwords.add("signet", taking: "open sesame")
        let installation = try Installation()
        let server = try await installation.server.start()
        defer { server.kill() }
        try await installation.server.addUser("anna", password: Installation.password)
        let phone = try await installation.phone("phone", ["--profile", "linux"])
        func passcode(_ text: String, in folder: String) throws -> [String] {
            let file = installation.scratch.url.appending(path: "passcode-\(UUID().uuidString.prefix(8))")
            try PrivateFile(path: file.path()).write(text)
            return ["--authenticator", "passcode", "--passcode-file", file.path(), "--pam-folder", folder]
        }
        let login = ["--user", "anna", "--password-file", installation.server.passwordFile(of: "anna").path()]

        let empty = try TestSupport.TemporaryFolder()
        let nowhere = try await phone.run("register", login + passcode("open sesame", in: empty.path))
        #expect(nowhere.code == 1 && nowhere.error == "NoAuthenticator", "\(nowhere.message)")
        let refused = try await phone.run("register", login + passcode("shut", in: passwords.folder))
        #expect(refused.code == 1 && refused.error == "WrongPasscode", "\(refused.message)")
        let registered = try await phone.run("register", login + passcode("open sesame", in: passwords.folder))
        #expect(registered.isDone, "\(registered.message)")
        let user = ["--user", "anna"]
        let wrong = try await phone.run("authenticate", user + passcode("shut", in: passwords.folder))
        #expect(wrong.code == 1 && wrong.error == "WrongPasscode", "\(wrong.message)")
        let right = try await phone.run("authenticate", user + passcode("open sesame", in: passwords.folder))
        #expect(right.isDone, "\(right.message)")
        let gone = try await phone.run("authenticate", user + passcode("open sesame", in: empty.path))
        #expect(!gone.isDone, "\(gone.message)")
    }

    @Test(
        "A finger registers and signs in; a changed set ends its key, which stays visible until it is deleted",
        .enabled(if: FingerprintStage.isInstalled, "\(FingerprintStage.absence)"))
    func finger() async throws {
        let machine = try FingerprintStage()
        try await machine.enrol(Self.finger, print: "anna-right")
        let installation = try Installation(settings: "authorization: { registration: none }\n")
        let server = try await installation.server.start()
        defer { server.kill() }
        try await installation.server.addUser("anna", password: Installation.password)
        let plain = try await installation.phone("phone", ["--profile", "linux"])
        let phone = PhoneProcess(
            program: plain.program, folder: plain.folder, logs: plain.logs, environment: machine.environment)
        let finger = ["--user", "anna", "--authenticator", "fingerprint"]

        let registered = try await run(phone, "register", finger, showing: "anna-right", to: machine)
        #expect(registered.isDone, "\(registered.message)")
        let signedIn = try await run(phone, "authenticate", finger, showing: "anna-right", to: machine)
        #expect(signedIn.isDone, "\(signedIn.message)")

        try await machine.enrol("left-index-finger", print: "anna-left")
        let ended = try await phone.run("authenticate", finger)
        #expect(ended.code == 1 && ended.fidoErrorCode == 0x09, "\(ended.message)")
        let shown = JSONWriter.text(.object(try await phone.run("authenticators", []).answer))
        #expect(shown.contains("\"isUsable\":false"), "\(shown)")
        let deleted = try await phone.run("delete-local", finger)
        #expect(deleted.isDone, "\(deleted.message)")
        // The virtual sensor compares with the first enrolled finger only.
        let again = try await run(phone, "register", finger, showing: "anna-right", to: machine)
        #expect(again.isDone, "\(again.message)")
        let back = try await run(phone, "authenticate", finger, showing: "anna-right", to: machine)
        #expect(back.isDone, "\(back.message)")
    }

    @Test(
        "O-H5: changed fingers: a server with its default rules is told by the phone itself, in the order that is named",
        .enabled(if: FingerprintStage.isInstalled, "\(FingerprintStage.absence)"))
    func changedFingers() async throws {
        let machine = try FingerprintStage()
        try await machine.enrol(Self.finger, print: "anna-right")
        let installation = try Installation()
        let server = try await installation.server.start()
        defer { server.kill() }
        try await installation.server.addUser("anna", password: Installation.password)
        let plain = try await installation.phone("phone", ["--profile", "linux"])
        let phone = PhoneProcess(
            program: plain.program, folder: plain.folder, logs: plain.logs, environment: machine.environment)
        let finger = ["--user", "anna", "--authenticator", "fingerprint"]
        let login = finger + ["--password-file", installation.server.passwordFile(of: "anna").path()]
        let registered = try await run(phone, "register", login, showing: "anna-right", to: machine)
        #expect(registered.isDone, "\(registered.message)")

        try await machine.enrol("left-index-finger", print: "anna-left")
        // No finger comes: the key is known to be gone before the user is asked.
        let refused = try await phone.run("authenticate", finger)
        #expect(refused.code == 1 && refused.fidoErrorCode == 0x09, "\(refused.message)")
        let order = try #require(refused.message.range(of: "deregister --user NAME --jws"), "\(refused.message)")
        #expect(refused.message[order.upperBound...].contains("then register again"))
        // In the other order nothing is lost: the key that can sign no more still counts at the server.
        let early = try await phone.run("register", login)
        #expect(early.uafStatus == 1401, "\(early.message)")

        let farewell = try await phone.run("deregister", ["--user", "anna", "--jws"])
        #expect(farewell.isDone && farewell.result.number("removedKeys") == 1, "\(farewell.message)")
        let listed = try await installation.server.administer("credentials list", ["--user", "anna"])
        #expect(listed.isDone && listed.result.objects("credentials").isEmpty, "\(listed.message)")
        // The virtual sensor compares with the first enrolled finger only.
        let again = try await run(phone, "register", login, showing: "anna-right", to: machine)
        #expect(again.isDone, "\(again.message)")
        let back = try await run(phone, "authenticate", finger, showing: "anna-right", to: machine)
        #expect(back.isDone, "\(back.message)")
    }

    /// Runs a command and puts a finger on the sensor once it waits.
    private func run(
        _ phone: PhoneProcess, _ command: String, _ arguments: [String], showing print: String,
        to machine: FingerprintStage
    ) async throws -> CommandOutcome {
        let process = try phone.start(command, arguments)
        try? await machine.scan(print) { process.isRunning }
        return try CommandOutcome(await process.ending())
    }
}
