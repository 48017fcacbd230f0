import Foundation
import SignetCommands
import StrictJSON
import TestSupport
import Testing

@Suite("What holds the keys of a phone is chosen when it is made", .serialized)
struct KeyChoiceTests {
    @Test("Without a TPM no phone is made, unless software is chosen in so many words")
    func noSilentFallBack() async throws {
        let installation = try Installation()
        let phone = PhoneProcess(
            program: installation.programs.phone, folder: installation.scratch.url.appending(path: "phone"),
            logs: installation.scratch.url)
        let place = ["--server", installation.server.address]
        for keys in [[], ["--keys", "tpm"]] {
            let outcome = try await phone.run("init", place + keys + ["--tcti", "device:/nowhere"])
            #expect(outcome.code == 2 && outcome.error == "HardwareUnavailable", "\(outcome.message)")
            #expect(outcome.message.contains("--tcti") && outcome.message.contains("--keys software"))
            let after = try await phone.run("show", [])
            #expect(after.error == "NoDevice", "\(after.message)")
        }
        let chosen = try await phone.run("init", place + ["--keys", "software"])
        #expect(chosen.isDone, "\(chosen.message)")
        let shown = try await show(phone)
        #expect(shown["keyProtection"] == .string("software"))
        let protection = try shown.required("protection") { value throws(JSONTypeError) in try value.asObject() }
        #expect(protection["attemptCounting"] == .string("software"))
        #expect(protection["rollbackDetection"] == .string("absent"))
    }

    @Test(
        "A phone with its keys in a TPM registers and signs in; without its chip it does neither and loses nothing",
        .enabled(if: SoftwareTPM.isInstalled, "\(SoftwareTPM.absence)"))
    func chip() async throws {
        let chip = try SoftwareTPM()
        let installation = try Installation()
        let server = try await installation.server.start()
        defer { server.kill() }
        try await installation.server.addUser("anna", password: Installation.password)
        let phone = PhoneProcess(
            program: installation.programs.phone, folder: installation.scratch.url.appending(path: "phone"),
            logs: installation.scratch.url)
        let made = try await phone.run(
            "init",
            [
                "--server", installation.server.address, "--ca", installation.server.authorityFile.path(), "--keys",
                "tpm", "--tcti", chip.connectionName,
            ])
        #expect(made.isDone, "\(made.message)")
        let registration = try await installation.register(phone, "anna")
        #expect(registration.isDone, "\(registration.message)")
        let shown = try await show(phone)
        #expect(shown["keyProtection"] == .string("tpm"))
        let protection = try shown.required("protection") { value throws(JSONTypeError) in try value.asObject() }
        #expect(protection["attemptCounting"] == .string("hardware"))
        #expect(try chip.leftovers().isEmpty)
        chip.kill()
        let silent = try await installation.authenticate(phone, "anna")
        #expect(silent.code == 2 && silent.error == "HardwareUnavailable", "\(silent.message)")
        try chip.start()
        let back = try await installation.authenticate(phone, "anna")
        #expect(back.isDone, "\(back.message)")
    }

    /// What `show` says.
    private func show(_ phone: PhoneProcess) async throws -> JSONObject {
        let ending = try await phone.start("show", []).ending()
        let line = try #require(ending.output.split(separator: "\n").last.map(String.init))
        let answer = try JSONParser.parse(line).asObject()
        return try answer.required("result") { value throws(JSONTypeError) in try value.asObject() }
    }
}
