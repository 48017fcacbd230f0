import ArgumentParser
import CommandSupport
import Foundation
import HardwareKeys
import HardwareKeysTPM
import TestSupport
import Testing

@testable import DeviceCommands

@Suite(
    "D-M6: signet doctor --tpm, and signet storage destroy",
    .enabled(if: SoftwareTPM.isInstalled, Comment(rawValue: SoftwareTPM.absence)))
struct ChipDoctorTests {
    private func findings(
        _ chip: SoftwareTPM, _ arguments: String..., answering ask: @escaping (String) async -> Bool? = { _ in nil }
    ) async throws -> [DoctorFinding] {
        let options = try ChipExaminationOptions.parse(["--tpm"] + arguments)
        return await ChipExamination(options: options, connection: chip.connection, ask: ask).findings()
    }

    @Test("D-M6: it lists what is needed and what is orphaned, and gives back the orphans only")
    func reclaiming() async throws {
        let chip = try SoftwareTPM()
        let phone = try TemporaryFolder()
        _ = try await TPMKeyVault.create(inDirectory: phone.path + "/tpm-vault", connection: chip.connection)
        for _ in 0..<3 {
            let gone = try TemporaryFolder()
            _ = try await TPMKeyVault.create(inDirectory: gone.path, connection: chip.connection)
        }
        let found = try await findings(chip, "--keep", phone.path)
        #expect(found.filter { $0.name == "orphan" }.count == 3)
        #expect(found.filter { $0.name == "index" }.map(\.observation).allSatisfy { $0.contains(phone.path) })
        #expect(found.first?.name == "tpm" && found.first?.verdict == .well)

        let needed = try #require(found.first { $0.name == "index" }).observation.prefix(10)
        let refused = try await findings(chip, "--keep", phone.path, "--reclaim", String(needed))
        #expect(refused.contains { $0.name == "not-reclaimed" && $0.verdict == .ill })
        let done = try await findings(chip, "--keep", phone.path, "--reclaim-orphans", "--yes")
        #expect(done.filter { $0.name == "reclaimed" }.count == 3)
        #expect(!done.contains { $0.name == "orphan" })
        #expect(try chip.indices().count == 1)
        _ = try await TPMKeyVault.open(inDirectory: phone.path + "/tpm-vault", connection: chip.connection)
    }

    @Test("N-M5: a living phone that is not named stays, and orphans go only when the user agrees to the list")
    func asking() async throws {
        let chip = try SoftwareTPM()
        let (phone, gone) = (try TemporaryFolder(), try TemporaryFolder())
        let vault = try await TPMKeyVault.create(inDirectory: phone.path + "/tpm-vault", connection: chip.connection)
        _ = try await TPMKeyVault.create(inDirectory: gone.path + "/tpm-vault", connection: chip.connection)
        #expect(try await findings(chip, "--reclaim-orphans", "--yes").filter { $0.name == "index" }.count == 2)
        try FileManager.default.removeItem(atPath: gone.path + "/tpm-vault")

        let unasked = try await findings(chip, "--reclaim-orphans")
        #expect(unasked.first { $0.name == "not-reclaimed" }?.advice?.contains("--yes") == true)
        #expect(unasked.first { $0.name == "orphan" }?.observation.contains(gone.path) == true)
        let refused = try await findings(chip, "--reclaim-orphans") { question in
            #expect(question.contains(gone.path) && !question.contains(phone.path))
            return false
        }
        #expect(refused.contains { $0.name == "not-reclaimed" && $0.verdict == .ill })
        #expect(try chip.indices().count == 2)
        let done = try await findings(chip, "--reclaim-orphans") { _ in true }
        #expect(done.filter { $0.name == "reclaimed" }.count == 1 && !done.contains { $0.name == "orphan" })
        #expect(try chip.indices().count == 1)
        _ = try await #require(vault.rollbackAnchor).value()
    }

    @Test("N-L8: what ended programs left in a chip is told, and flushed when the user agrees")
    func leftovers() async throws {
        let chip = try SoftwareTPM()
        for _ in 0..<3 { try chip.tool("tpm2_createprimary", "-C", "n") }
        let unasked = try await findings(chip)
        #expect(unasked.map(\.name) == ["leftovers", "tpm"] && unasked.last?.verdict == .ill)
        #expect(unasked.first?.advice?.contains("/dev/tpmrm0") == true)
        #expect(unasked.last?.observation.contains("ended programs left") == true)
        #expect(try await findings(chip) { _ in false }.map(\.name) == ["leftovers", "tpm"])
        let flushed = try await findings(chip) { question in question.contains("3 objects and sessions") }
        #expect(flushed.map(\.verdict).allSatisfy { $0 == .well } && flushed.first?.name == "flushed")
        #expect(try chip.leftovers().isEmpty)
    }

    @Test("fb19: the authorization of a chip's owner is told, not that there is no chip")
    func owned() async throws {
        let chip = try SoftwareTPM()
        try chip.tool("tpm2_changeauth", "-c", "o", "owner's value")
        let found = try await findings(chip)
        #expect(found.map(\.verdict) == [.ill] && found.first?.observation.contains("owner of the TPM") == true)
        let folder = try TemporaryFolder()
        let keys = try StorageKeyOptions.parse(["--keys", "tpm", "--tcti", chip.connectionName])
        let storage = try StorageOptions.parse(["one", "--directory", folder.path + "/storages"])
        let failure = await #expect(throws: CommandFailure.self) { try await keys.open(storage) }
        #expect(failure?.code == "HardwareOwned")
    }

    @Test("D-M6: a directory without a vault is pointed out, and a chip that is not there")
    func mistakes() async throws {
        let chip = try SoftwareTPM()
        let empty = try TemporaryFolder()
        #expect(try await findings(chip, "--keep", empty.path).contains { $0.name == "no-vault" })
        try chip.stop()
        let found = try await findings(chip)
        #expect(found.map(\.verdict) == [.ill])
    }

    @Test(
        "D-M6: the options of a chip go with --tpm, and numbers are numbers",
        arguments: [
            ["--keep", "x"], ["--reclaim-orphans"], ["--yes"], ["--tpm", "--reclaim", "all"],
            ["--tpm", "--reclaim", "0xZZ"],
        ])
    func usage(arguments: [String]) {
        #expect(throws: (any Error).self) { try ChipExaminationOptions.parse(arguments) }
    }

    @Test("D-M6: a destroyed directory of storages leaves nothing in the chip, and other files where they are")
    func storages() async throws {
        let chip = try SoftwareTPM()
        let folder = try TemporaryFolder()
        let directory = folder.path + "/storages"
        for name in ["one", "two"] {
            try await StorageCreate.parse([
                name, "--directory", directory, "--keys", "tpm", "--tcti", chip.connectionName, "--rollback-anchor",
            ]).run()
        }
        #expect(try chip.indices().count == 1)
        try await StorageDestroy.parse(["--directory", directory, "--tcti", chip.connectionName]).run()
        #expect(try chip.indices().isEmpty)
        #expect(!FileManager.default.fileExists(atPath: directory))
    }
}
