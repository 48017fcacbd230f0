import CommandSupport
import DemoCommands
import DeviceCommands
import Foundation
import StrictJSON
import TestSupport
import Testing

@Suite("The commands of a phone, each a process of its own", .serialized)
struct DeviceCommandTests {
    private static let oldSecret = "572914"
    private static let newSecret = "730528"

    /// A server, a phone and the files with its secrets.
    private struct Stage {
        let installation: Installation
        let server: ChildProcess
        let phone: PhoneProcess

        init(_ options: [String] = []) async throws {
            installation = try Installation()
            server = try await installation.server.start()
            try await installation.server.addUser("anna", password: Installation.password)
            phone = try await installation.phone("phone", options)
        }

        func file(_ name: String, _ text: String) throws -> String {
            let file = installation.scratch.url.appending(path: name)
            try PrivateFile(path: file.path()).write(text)
            return file.path()
        }

        /// Arguments that give the right to register.
        var login: [String] {
            ["--user", "anna", "--password-file", installation.server.passwordFile(of: "anna").path()]
        }

        func run(_ command: String, _ arguments: [String]) async throws -> CommandOutcome {
            try await phone.run(command, arguments)
        }
    }

    @Test("A secret is chosen, used, replaced and forgotten", arguments: ["pin", "password"])
    func secrets(kind: String) async throws {
        let stage = try await Stage()
        defer { stage.server.kill() }
        let word = kind == "pin" ? "Pin" : "Password"
        let old = ["--secret-file", try stage.file("old", Self.oldSecret)]
        let new = ["--secret-file", try stage.file("new", Self.newSecret)]
        let user = ["--user", "anna"]
        let choice = ["--authenticator", kind]
        let registered = try await stage.run("register", stage.login + choice + old)
        #expect(registered.isDone, "\(registered.message)")
        let first = try await stage.run("authenticate", user + choice + old)
        #expect(first.isDone, "\(first.message)")

        let same = try await stage.run("\(kind) change", user + old + ["--new-secret-file", old[1]])
        #expect(same.code == 1 && same.error == "\(word)Refused", "\(same.message)")
        let wrong = try await stage.run("\(kind) change", user + new + ["--new-secret-file", new[1]])
        #expect(wrong.code == 1 && wrong.error == "Wrong\(word)", "\(wrong.message)")
        let changed = try await stage.run("\(kind) change", user + old + ["--new-secret-file", new[1]])
        #expect(changed.isDone, "\(changed.message)")

        let outdated = try await stage.run("authenticate", user + old)
        #expect(outdated.code == 1 && outdated.error == "Wrong\(word)", "\(outdated.message)")
        let again = try await stage.run("authenticate", user + new)
        #expect(again.isDone, "\(again.message)")
        let gone = try await stage.run("delete-local", user + choice)
        #expect(gone.isDone, "\(gone.message)")
        let absent = try await stage.run("\(kind) change", user + old + ["--new-secret-file", new[1]])
        #expect(absent.code == 1 && absent.error == "\(word)NotEnrolled", "\(absent.message)")
    }

    @Test("A user has several authenticators; each is listed, chosen, and removed by itself")
    func several() async throws {
        let stage = try await Stage()
        defer { stage.server.kill() }
        let pin = ["--pin-file", stage.installation.pinFile.path()]
        let password = ["--secret-file", try stage.file("password", "correct horse")]
        let user = ["--user", "anna"]
        let token = stage.installation.scratch.url.appending(path: "token").path()
        _ = try await stage.run("register", stage.login + pin)
        _ = try await stage.run("authenticate", user + pin + ["--token-out", token])
        let second = try await stage.run(
            "register", user + password + ["--authenticator", "password", "--token-file", token])
        #expect(second.isDone, "\(second.message)")
        #expect(try await kinds(of: "anna", stage.phone) == ["pin", "password"])
        let absent = try await stage.run("authenticate", user + pin + ["--authenticator", "face"])
        #expect(absent.code == 1 && absent.error == "NoAuthenticator", "\(absent.message)")
        let signedIn = try await stage.run("authenticate", user + password + ["--authenticator", "password"])
        #expect(signedIn.isDone, "\(signedIn.message)")
        let removed = try await stage.run("deregister", user + pin + ["--authenticator", "pin"])
        #expect(removed.isDone, "\(removed.message)")
        #expect(try await kinds(of: "anna", stage.phone) == ["password"])
        let listed = try await stage.run("list", [])
        #expect(JSONWriter.text(.object(listed.answer)).contains("F1D0#1005"))
        #expect(try await stage.run("show", []).isDone)
    }

    @Test(
        "A phone of each family registers and signs in, under its own models",
        arguments: [("ios", "F1D0#1001"), ("android", "F1D0#0001"), ("linux", "FFFF#2101")])
    func families(profile: String, aaid: String) async throws {
        let stage = try await Stage(["--profile", profile])
        defer { stage.server.kill() }
        let pin = ["--pin-file", stage.installation.pinFile.path()]
        let registered = try await stage.run("register", stage.login + pin)
        #expect(registered.isDone, "\(registered.message)")
        let signedIn = try await stage.run("authenticate", ["--user", "anna"] + pin)
        #expect(signedIn.isDone, "\(signedIn.message)")
        let listed = try await stage.run("list", [])
        #expect(JSONWriter.text(.object(listed.answer)).contains(aaid))
    }

    @Test(
        "A Linux phone with a TPM presents the models of keys in hardware",
        .enabled(if: SoftwareTPM.isInstalled, "\(SoftwareTPM.absence)"))
    func chip() async throws {
        let chip = try SoftwareTPM()
        let stage = try await Stage()
        defer { stage.server.kill() }
        let phone = PhoneProcess(
            program: stage.phone.program, folder: stage.installation.scratch.url.appending(path: "with-chip"),
            logs: stage.installation.scratch.url)
        let made = try await phone.run(
            "init",
            [
                "--server", stage.installation.server.address, "--ca",
                stage.installation.server.authorityFile.path(), "--keys", "hardware", "--tcti", chip.connectionName,
                "--profile", "linux",
            ])
        #expect(made.isDone, "\(made.message)")
        let pin = ["--pin-file", stage.installation.pinFile.path()]
        let registered = try await phone.run("register", stage.login + pin)
        #expect(registered.isDone, "\(registered.message)")
        #expect(try await phone.run("authenticate", ["--user", "anna"] + pin).isDone)
        let listed = try await phone.run("list", [])
        #expect(JSONWriter.text(.object(listed.answer)).contains("FFFF#2001"))
    }

    @Test(
        "Wrong usage ends with 64 before anything happens",
        arguments: [
            ["register", "--user", "anna", "--authenticator", "nose"],
            ["init", "--server", "https://localhost", "--profile", "linux", "--bundle-id", "org.example"],
            ["init", "--server", "https://localhost", "--profile", "ios", "--apk-key-hash", "w56f"],
            ["delete-local", "--user", "anna", "--aaid", "F1D0#1001", "--authenticator", "pin"],
            ["pin", "change"],
            ["script"],
        ])
    func usage(arguments: [String]) async throws {
        let installation = try Installation()
        let words = ["device"] + arguments + ["--device", installation.scratch.url.appending(path: "none").path()]
        let process = try ChildProcess(
            installation.programs.phone, words, folder: installation.scratch.url, name: "usage")
        #expect(await process.ending().code == 64)
    }

    @Test("Without file and terminal there is no secret, and the failure names the option")
    func noTerminal() async throws {
        let stage = try await Stage()
        defer { stage.server.kill() }
        let outcome = try await stage.run("register", stage.login)
        #expect(outcome.code == 2 && outcome.error == "NoTerminal", "\(outcome.message)")
        #expect(outcome.message.contains("--secret-file"))
    }

    /// The kinds of authenticators that hold a key of a user.
    private func kinds(of user: String, _ phone: PhoneProcess) async throws -> [String] {
        let outcome = try await phone.run("authenticators", [])
        let result = try outcome.answer.required("result") { value throws(JSONTypeError) in try value.asObject() }
        guard case .array(let authenticators)? = result["authenticators"] else { return [] }
        #expect(authenticators.count == 5)
        return authenticators.compactMap { authenticator in
            guard case .object(let members) = authenticator, case .string(let kind)? = members["kind"],
                JSONWriter.text(authenticator).contains("\"username\":\"\(user)\"")
            else { return nil }
            return kind
        }
    }
}
