import Authenticators
import HardwareKeys
import SecureStorage
import TestSupport
import Testing

@Suite(
    "Credentials of a device with a TPM: the counter of the chip tells older copies",
    .enabled(if: SoftwareTPM.isInstalled, Comment(rawValue: SoftwareTPM.absence)))
struct CredentialsOnChipTests {
    private let chip: SoftwareTPM
    private let device: TestDevice

    init() async throws {
        chip = try SoftwareTPM()
        device = try await TestDevice.onChip(chip)
    }

    private func files() throws -> [String: [UInt8]] {
        Dictionary(
            uniqueKeysWithValues: try ["credentials.sst", ".ledger.sst"].map {
                ($0, try device.folder.bytes(of: "store/" + $0))
            })
    }

    private func put(_ files: [String: [UInt8]]) throws {
        for (name, bytes) in files { try device.folder.overwrite("store/" + name, with: bytes) }
    }

    @Test(
        "An older copy is refused, alone or with its ledger, in the running process and in the next; the newest opens")
    func olderCopy() async throws {
        let credential = try await device.enroll("482913")
        let old = try files()
        for _ in 0..<3 { _ = try? await device.sign(credential, "000000") }
        let newest = try files()
        for copy in [old.filter { $0.key == "credentials.sst" }, old] {
            try put(copy)
            await #expect(throws: CredentialStoreError.rolledBack) { try await device.store.contents() }
            await #expect(throws: AuthenticatorError.store(.rolledBack)) {
                try await device.sign(credential, "482913")
            }
            await #expect(throws: CredentialStoreError.rolledBack) { try await device.reopened() }
            try put(newest)
        }
        device.clock.advance(seconds: 60)
        _ = try await device.reopened().sign(credential, "482913")
    }

    @Test("A store with keys in a file in place of the chip's is refused")
    func downgraded() async throws {
        let other = try await TestDevice()
        _ = try await other.enroll("482913")
        try device.folder.overwrite("store/credentials.sst", with: try other.folder.bytes(of: "store/credentials.sst"))
        await #expect(throws: CredentialStoreError.vault(.hardwareUnavailable)) { try await device.openStore() }
    }

    @Test("A chip that is away is no loss: it is said, and the store opens when it is back")
    func away() async throws {
        let credential = try await device.enroll("482913")
        try chip.stop()
        await #expect(throws: CredentialStoreError.vault(.hardwareUnavailable)) {
            try await device.store.update { $0.delete(credential.id) }
        }
        try chip.start()
        #expect(try await device.reopened().store.contents().credentials.map(\.id) == [credential.id])
    }

    @Test("A PIN entry writes twice: before the chip is asked, and after its answer")
    func writesOfAnEntry() async throws {
        let credential = try await device.enroll("482913")
        for digits in ["000000", "482913"] {
            let before = try generation()
            _ = try? await device.sign(credential, digits)
            #expect(try generation() == before + 2)
        }
    }

    /// Number of times that the storage was written.
    private func generation() throws -> UInt64 {
        let configuration = SecureStorage.Configuration(hardware: .none, directory: device.folder.path + "/store")
        return try SecureStorage.inspect(fileName: "credentials", configuration: configuration).generation
    }
}
