import CommandSupport
import DemoCommands
import Foundation
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
        for keys in [[], ["--keys", "hardware"]] {
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
                "hardware", "--tcti", chip.connectionName,
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

    @Test("D-H3: with --keys prefer-hardware a machine without a TPM gets a phone in software, and is told so")
    func preferenceWithoutChip() async throws {
        let (installation, phone) = try Self.stage()
        let server = try await installation.server.start()
        defer { server.kill() }
        try await installation.server.addUser("anna", password: Installation.password)
        let made = try await phone.run("init", Self.preference(installation, "device:/nowhere"))
        #expect(made.isDone && made.result.text("keys") == "software", "\(made.message)")
        let warning = try #require(made.result.text("keyVaultWarning"))
        #expect(warning.contains("software only") && warning.contains("no TPM at device:/nowhere"), "\(warning)")
        #expect(try await show(phone)["keyProtection"] == .string("software"))
        #expect(try await installation.register(phone, "anna").isDone)
        #expect(try await installation.authenticate(phone, "anna").isDone)
    }

    @Test(
        "D-H3: with --keys prefer-hardware a machine with a TPM gets a phone in it, and stays with it",
        .enabled(if: SoftwareTPM.isInstalled, "\(SoftwareTPM.absence)"))
    func preferenceWithChip() async throws {
        let (chip, (installation, phone)) = (try SoftwareTPM(), try Self.stage())
        let server = try await installation.server.start()
        defer { server.kill() }
        try await installation.server.addUser("anna", password: Installation.password)
        let made = try await phone.run("init", Self.preference(installation, chip.connectionName))
        #expect(made.isDone && made.result.text("keys") == "tpm", "\(made.message)")
        #expect(made.result.text("keyVaultWarning") == nil)
        #expect(try await show(phone)["keyProtection"] == .string("tpm"))
        #expect(try await installation.register(phone, "anna").isDone)
        #expect(try chip.indices().count > 0)
        // What was decided once is not decided anew on the day on which the chip is away.
        chip.kill()
        #expect(try await installation.authenticate(phone, "anna").error == "HardwareUnavailable")
        try chip.start()
        #expect(try await installation.authenticate(phone, "anna").isDone)
    }

    @Test("The name of a chip goes with hardware only")
    func connectionOfSoftware() async throws {
        let (installation, phone) = try Self.stage()
        let process = try phone.start(
            "init", ["--server", installation.server.address, "--keys", "software", "--tcti", "device:/nowhere"])
        #expect(await process.ending().code == 64)
    }

    private static func stage() throws -> (Installation, PhoneProcess) {
        let installation = try Installation()
        let folder = installation.scratch.url.appending(path: "phone")
        return (
            installation,
            PhoneProcess(program: installation.programs.phone, folder: folder, logs: installation.scratch.url)
        )
    }

    private static func preference(_ installation: Installation, _ connection: String) -> [String] {
        [
            "--server", installation.server.address, "--ca", installation.server.authorityFile.path(), "--keys",
            "prefer-hardware", "--tcti", connection,
        ]
    }

    /// What `show` says.
    private func show(_ phone: PhoneProcess) async throws -> JSONObject {
        let ending = try await phone.start("show", []).ending()
        let line = try #require(ending.output.split(separator: "\n").last.map(String.init))
        let answer = try JSONParser.parse(line).asObject()
        return try answer.required("result") { value throws(JSONTypeError) in try value.asObject() }
    }
}
