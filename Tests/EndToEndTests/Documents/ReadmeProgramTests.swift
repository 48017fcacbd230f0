import CommandSupport
import TestSupport
import Testing

@Suite("The program of the README, as it stands there", .serialized)
struct ReadmeProgramTests {
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
        #expect(ending.complaints.hasPrefix("warning client: Keys are kept in software, because there is no secure"))
        #expect(ending.complaints.hasSuffix("keyVault=software\n"))
    }

    @Test(
        "D-H3: on a machine with a TPM it registers and signs in, and the log says that the keys lie in it",
        .enabled(if: SoftwareTPM.isInstalled, "\(SoftwareTPM.absence)"))
    func chip() async throws {
        let chip = try SoftwareTPM()
        let ending = try await play(with: chip)
        #expect(ending.status == 0 && ending.output == "anna is signed in\n", "\(ending.complaints)")
        #expect(ending.complaints == "notice client: Keys are kept in secure hardware. keyVault=tpm\n")
        #expect(try chip.indices().count > 0)
    }
}
