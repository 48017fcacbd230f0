import CommandSupport
import DemoCommands
import Foundation
import StrictJSON
import TestSupport
import Testing

@Suite(
    "Attested keys, with real processes and a software TPM", .serialized,
    .enabled(if: SoftwareTPM.isInstalled && SoftwareTPM.isCertifiable, "\(SoftwareTPM.absence)"))
struct AttestedStoryTests {
    /// A server under a rule that knows the manufacturer of a chip, and a phone on that chip.
    private struct Stage {
        let installation: Installation
        let server: ChildProcess
        let chip: SoftwareTPM

        init(rule: String, trusting other: SoftwareTPM? = nil) async throws {
            chip = try SoftwareTPM(isCertified: true)
            installation = try Installation()
            let authorities = installation.scratch.url.appending(path: "authorities.pem")
            let trusted = other ?? chip
            let pem = Self.pem(try trusted.endorsementRoot()) + Self.pem(try trusted.endorsementIssuer())
            try Data(pem.utf8).write(to: authorities)
            try installation.server.configure(
                """
                fido-uaf:
                  key-attestation: { roots-files: ["\(authorities.path())"] }
                  policies:
                    default:
                      accepted: ["FFFF#2001", "FFFF#2101"]
                      key-attestation: { rule: \(rule) }

                """)
            server = try await installation.server.start()
            try await installation.server.addUser("anna", password: Installation.password)
        }

        private static func pem(_ certificate: [UInt8]) -> String {
            let lines = Data(certificate).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
            return "-----BEGIN CERTIFICATE-----\n\(lines)\n-----END CERTIFICATE-----\n"
        }

        /// Makes a phone and registers it; the exchanges are recorded.
        func registered(_ keys: [String]) async throws -> (PhoneProcess, CommandOutcome) {
            let phone = PhoneProcess(
                program: installation.programs.phone, folder: installation.scratch.url.appending(path: "phone"),
                logs: installation.scratch.url)
            let made = try await phone.run(
                "init",
                [
                    "--server", installation.server.address, "--ca", installation.server.authorityFile.path(),
                    "--profile", "linux",
                ] + keys)
            #expect(made.isDone, "\(made.message)")
            return (phone, try await installation.register(phone, "anna"))
        }

        var onChip: [String] { ["--keys", "hardware", "--tcti", chip.connectionName] }

        /// Whether a recorded exchange went to a service for attested keys.
        func hasEnrolled() throws -> Bool {
            let folder = installation.scratch.url.appending(path: "recordings")
            return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil).contains {
                try String(decoding: Data(contentsOf: $0), as: UTF8.self).contains("/attestation/")
            }
        }
    }

    @Test("Where keys have to lie in chips, a phone proves its key and signs in")
    func proved() async throws {
        let stage = try await Stage(rule: "required")
        defer { stage.server.kill() }
        let (phone, registered) = try await stage.registered(stage.onChip)
        #expect(registered.isDone, "\(registered.message)")
        #expect(try stage.hasEnrolled())
        let listed = try await stage.installation.server.administer("credentials list", ["--user", "anna"])
        #expect(listed.result.objects("credentials").first?.text("protection") == "chip-pin")
        let signedIn = try await stage.installation.authenticate(phone, "anna")
        #expect(signedIn.isDone, "\(signedIn.message)")
    }

    @Test("A phone with keys in files, and one with a chip of another manufacturer, are refused in words")
    func refused() async throws {
        let software = try await Stage(rule: "required")
        defer { software.server.kill() }
        let (_, refused) = try await software.registered(["--keys", "software"])
        #expect(refused.uafStatus == 1496 && refused.message.contains("only keys in a chip"), "\(refused.message)")
        let foreign = try await Stage(rule: "required", trusting: software.chip)
        defer { foreign.server.kill() }
        let (_, other) = try await foreign.registered(foreign.onChip)
        #expect(other.uafStatus == 1496, "\(other.message)")
    }

    @Test("Nothing about the chip goes to a server that does not demand it", arguments: ["ignored", "verified"])
    func unasked(rule: String) async throws {
        let stage = try await Stage(rule: rule)
        defer { stage.server.kill() }
        let (_, registered) = try await stage.registered(stage.onChip)
        #expect(registered.isDone, "\(registered.message)")
        #expect(try !stage.hasEnrolled())
    }

    @Test("The demonstration plays a proved key and a refused one as told")
    func demonstration() async throws {
        let installation = try Installation()
        let demo = try ChildProcess(
            installation.programs.phone, ["demo", "attested", "--format", "json"], folder: installation.scratch.url,
            name: "demo")
        let ending = await demo.ending()
        #expect(ending.code == 0, "\(ending.output)")
        for step in ["chip-certified", "key-proved", "authenticated", "software-refused", "nothing-stored"] {
            #expect(ending.output.contains("\"\(step)\""))
        }
    }
}
