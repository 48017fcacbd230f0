import Authenticators
import HardwareKeys
import HardwareKeysTPM
import TestSupport
import Testing

@testable import MobileAuthentication

@Suite("Where the keys of a client lie")
struct KeyVaultChoiceTests {
    private let configuration = Configuration(authCloudHostname: "server.example")
    private let scratch: TemporaryFolder
    private let log = KeptLog()

    init() throws {
        scratch = try TemporaryFolder()
    }

    /// Starts a client in the one folder of a test.
    private func ports(
        _ choice: KeyVaultChoice, hardware: some KeyVaultSource
    ) async throws(InitializationError) -> ClientPorts {
        var graph = ClientGraph()
        graph.keys = KeyVaultOpening(origin: .choice(choice), hardware: hardware)
        graph.directory = URL(filePath: scratch.path + "/application")
        graph.logger = log
        return try await graph.ports(for: configuration)
    }

    private func expectHardwareError(
        _ choice: KeyVaultChoice, hardware: some KeyVaultSource, is cause: KeyVaultError
    ) async {
        let error = await #expect(throws: InitializationError.self) {
            _ = try await ports(choice, hardware: hardware)
        }
        guard case .HardwareError(let found)? = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(found as? KeyVaultError == cause)
    }

    @Test(
        "D-H3: with nothing chosen the keys lie in the TPM of the machine",
        .enabled(if: SoftwareTPM.isInstalled, "\(SoftwareTPM.absence)"))
    func chip() async throws {
        let chip = try SoftwareTPM()
        guard case .choice(.platform) = ClientGraph().keys.origin else {
            Issue.record("the default is another one")
            return
        }
        let ports = try await ports(.platform, hardware: TrustedPlatformModule(chip.connection))
        #expect(ports.keyProtection == .tpm && ports.keyVaultWarning == nil)
        #expect(log.aboutKeys == ["notice client: Keys are kept in secure hardware. keyVault=tpm"])
    }

    @Test("D-H3: the hardware of this platform is the chip that the machine, or its administrator, names")
    func platformSource() {
        #expect(PlatformHardware.keys is TrustedPlatformModule)
        #expect(TPMConnection.system.name == "device:/dev/tpmrm0")
    }

    @Test("D-H3: a machine without a chip is told the two ways out, and nothing is made")
    func noChip() async throws {
        let nowhere = TrustedPlatformModule(TPMConnection("device:/nowhere"))
        let error = await #expect(throws: InitializationError.self) {
            _ = try await ports(.platform, hardware: nowhere)
        }
        guard case .HardwareError(let cause)? = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(cause as? KeyVaultError == .hardwareUnavailable)
        let words = try #require(error?.recoverySuggestion)
        #expect(words.contains("tss") && words.contains(".preferHardware") && words.contains(".software"))
        #expect(log.lines.contains { $0.hasPrefix("fault client:") && $0.contains("keyVault(.preferHardware)") })
        #expect(!SecureStorageCredentialStore.exists(inDirectory: scratch.path + "/application"))
    }

    @Test("D-H3: who prefers hardware gets software keys where there is none, with a warning, and keeps them")
    func fallback() async throws {
        let nowhere = TrustedPlatformModule(TPMConnection("device:/nowhere"))
        let ports = try await ports(.preferHardware, hardware: nowhere)
        #expect(ports.keyProtection == .software)
        let warning = try #require(ports.keyVaultWarning)
        #expect(log.aboutKeys == ["warning client: \(warning) keyVault=software"])
        // Hardware that comes later does not take the keys away.
        let again = try await self.ports(.preferHardware, hardware: UnaskedHardware())
        #expect(again.keyProtection == .software)
        #expect(again.keyVaultWarning?.contains("began with software keys") == true)
        _ = try await self.ports(.software, hardware: UnaskedHardware())
    }

    @Test(
        "D-H3: who prefers hardware stays with it, also on the day on which it does not answer",
        .enabled(if: SoftwareTPM.isInstalled, "\(SoftwareTPM.absence)"))
    func lostChip() async throws {
        let chip = try SoftwareTPM()
        let source = TrustedPlatformModule(chip.connection)
        #expect(try await ports(.preferHardware, hardware: source).keyProtection == .tpm)
        chip.kill()
        await expectHardwareError(.preferHardware, hardware: source, is: .hardwareUnavailable)
        try chip.start()
        #expect(try await ports(.preferHardware, hardware: source).keyProtection == .tpm)
    }

    /// The memory of a chip as another account sees it, whose register has no line of this vault.
    private func memory(of chip: SoftwareTPM) -> TPMMemory {
        var connection = chip.connection
        connection.stateDirectory = scratch.path + "/other"
        return TPMMemory(connection)
    }

    @Test(
        "An older copy, a lost ledger and a lost counter are three causes, each with its way out",
        .enabled(if: SoftwareTPM.isInstalled, "\(SoftwareTPM.absence)"))
    func storedKeys() async throws {
        let chip = try SoftwareTPM()
        func cause() async -> StoredKeysError? {
            do throws(InitializationError) {
                _ = try await ports(.platform, hardware: TrustedPlatformModule(chip.connection))
                return nil
            } catch {
                #expect((error.cause as? any LocalizedError)?.recoverySuggestion?.contains("register again") == true)
                return error.cause as? StoredKeysError
            }
        }
        let files = ["application/credentials.sst", "application/.ledger.sst"]
        func state() throws -> [(String, [UInt8])] { try files.map { ($0, try scratch.bytes(of: $0)) } }
        func put(_ state: [(String, [UInt8])]) throws {
            for (name, bytes) in state { try scratch.overwrite(name, with: bytes) }
        }

        let running = try await ports(.platform, hardware: TrustedPlatformModule(chip.connection))
        let store = try #require(running.store as? LocalAuthenticators)
        let old = try state()
        try await store.update { $0.remember(deviceInformation: [1]) }
        let newest = try state()
        try put(old)
        #expect(await cause() == .olderCopy)
        do {
            _ = try await store.snapshot()
            Issue.record("the running client took the older copy")
        } catch {
            #expect(OperationError(error).cause as? StoredKeysError == .olderCopy)
        }
        try put(newest)
        #expect(await cause() == nil)
        let (ledger, elsewhere) = (scratch.path + "/" + files[1], scratch.path + "/elsewhere")
        try FileManager.default.moveItem(atPath: ledger, toPath: elsewhere)
        #expect(await cause() == .lostLedger)
        try FileManager.default.moveItem(atPath: elsewhere, toPath: ledger)
        #expect(await cause() == nil)
        let memory = memory(of: chip)
        for index in try await memory.indices(ofVaultsIn: []) where index.kind == .changes {
            try await memory.reclaim(index.number, besides: [])
        }
        #expect(await cause() == .lostCounter)
    }

    @Test(
        "D-H3: hardware that is there but busy, cleared or broken is an error and no reason for software",
        arguments: [KeyVaultError.hardwareBusy, .hardwareOccupied, .unrecoverable, .hardwareFailed(code: 0x101)])
    func trouble(error: KeyVaultError) async throws {
        await expectHardwareError(.preferHardware, hardware: FailingHardware(error: error), is: error)
    }

    @Test(
        "D-H3: hardware that has no place for this program counts as none, and the warning says what keeps it out",
        arguments: [
            (KeyVaultError.hardwareFull, "has no room left"),
            (.ownerAuthorizationRequired, "the owner of the secure hardware"),
            (.hardwareUnavailable, "there is no secure hardware"),
        ])
    func noRoom(error: KeyVaultError, words: String) async throws {
        let ports = try await ports(.preferHardware, hardware: FailingHardware(error: error))
        #expect(ports.keyProtection == .software && ports.keyVaultWarning?.contains(words) == true)
    }
}

/// Hardware that fails in one way.
private struct FailingHardware: KeyVaultSource {
    let error: KeyVaultError

    func vault(inDirectory directory: String) async throws(KeyVaultError) -> any KeyVault { throw error }
}
