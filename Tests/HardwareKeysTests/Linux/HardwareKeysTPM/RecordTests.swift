import HardwareKeys
import HardwareKeysTPM
import TestSupport
import Testing

@Suite("What a vault stores is read as it was written or refused as damaged", ChipFixture.requirement)
struct RecordTests {
    /// Reads the body of a record and writes it again; nil when it was refused, as damaged.
    private func again(_ body: [UInt8], _ read: ([UInt8]) throws(KeyVaultError) -> [UInt8]) -> [UInt8]? {
        do throws(KeyVaultError) {
            return try read(body)
        } catch {
            #expect(error == .damaged)
            return nil
        }
    }

    private func requireExact(_ body: [UInt8], _ read: ([UInt8]) throws(KeyVaultError) -> [UInt8]) {
        #expect(again(body, read) == body)
        for bit in 0..<(body.count * 8) {
            var changed = body
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            let found = again(changed, read)
            #expect(found == nil || found == changed)
        }
        for length in 0..<body.count { #expect(again(Array(body.prefix(length)), read) == nil) }
        #expect(again(body + [0], read) == nil)
    }

    @Test("Every record is read exactly, with every bit changed, cut at every length, and longer by one byte")
    func records() async throws {
        let fixture = try await ChipFixture()
        let open = try await fixture.vault.createKey(KeyRequirements(authorization: .userPresence(.biometryAny)))
        let counted = try await fixture.countedKey(.random())
        for key in [open, counted] {
            let name = "keys/" + key.bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            let record = try KeyRecord(octets: try fixture.folder.bytes(of: name + ".key"), of: key)
            requireExact(record.body) { bytes throws(KeyVaultError) in try KeyRecord(body: bytes).body }
        }
        let vault = try VaultRecord(octets: try fixture.folder.bytes(of: "vault"))
        requireExact(vault.body) { bytes throws(KeyVaultError) in try VaultRecord(body: bytes).body }
        let sealed = try SealedRecord(octets: await fixture.vault.seal(.random(), behind: .devicePasscode).bytes)
        requireExact(sealed.body) { bytes throws(KeyVaultError) in try SealedRecord(body: bytes).body }
    }

    @Test("A file of a later version is not called damaged")
    func version() async throws {
        let fixture = try await ChipFixture()
        let vault = try VaultRecord(octets: try fixture.folder.bytes(of: "vault"))
        try fixture.folder.overwrite("vault", with: vault.octets(inVersion: 2))
        await #expect(throws: KeyVaultError.newerFormat(version: 2)) { try await fixture.reopened() }
        try fixture.folder.overwrite("vault", with: vault.octets(inVersion: 0))
        await #expect(throws: KeyVaultError.damaged) { try await fixture.reopened() }
    }
}
