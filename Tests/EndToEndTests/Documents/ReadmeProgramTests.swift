import CommandSupport
import TestSupport
import Testing

@Suite("The program of the README, as it stands there", .serialized)
struct ReadmeProgramTests {
    /// Beginning of the first line: nothing seals a program that `swift build` has made.
    private static let unsealed = "warning client: Guards against tampering run, but findings are reported only"

    private func play(with chip: SoftwareTPM?) async throws -> BuiltProgram.Ending {
        let stage = try await DocumentedProgram(users: ["anna"])
        defer { stage.server.kill() }
        let link = try await stage.link("register", for: "anna")
        return try stage.run("ReadmeProgram", stage.place + [link], chip: chip, typing: "482915\n482915\n")
    }

    @Test("D-H3: on a machine without a TPM it registers and signs in, and the log warns that the keys lie in software")
    func software() async throws {
        let ending = try await play(with: nil)
        #expect(ending.status == 0 && ending.output == "anna is signed in\n", "\(ending.complaints)")
        let lines = ending.complaints.split(separator: "\n")
        #expect(lines.count == 2 && lines.first?.hasPrefix(Self.unsealed) == true)
        #expect(lines.last?.hasPrefix("warning client: Keys are kept in software, because there is no secure") == true)
        #expect(lines.last?.hasSuffix("keyVault=software") == true)
    }

    @Test(
        "D-H3: on a machine with a TPM it registers and signs in, and the log says that the keys lie in it",
        .enabled(if: SoftwareTPM.isInstalled, "\(SoftwareTPM.absence)"))
    func chip() async throws {
        let chip = try SoftwareTPM()
        let ending = try await play(with: chip)
        #expect(ending.status == 0 && ending.output == "anna is signed in\n", "\(ending.complaints)")
        let lines = ending.complaints.split(separator: "\n")
        #expect(lines.count == 2 && lines.first?.hasPrefix(Self.unsealed) == true)
        #expect(lines.last == "notice client: Keys are kept in secure hardware. keyVault=tpm")
        #expect(try chip.indices().count > 0)
    }
}
