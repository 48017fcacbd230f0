import Crypto
import Foundation
import HardwareKeys
import HardwareKeysTPM
import TestSupport
import Testing

@Suite("N-L9: the chip vouches for the count with which a vault began", ChipFixture.requirement)
struct FirstCountTests {
    /// Places in the body of a record: the name of the counter, and what stands before the device key.
    private static let (name, head) = (59..<93, 157)

    private func anchor(of fixture: ChipFixture, after body: [UInt8]) async throws -> any RollbackAnchor {
        try fixture.folder.overwrite("vault", with: VaultRecord(body: body).octets)
        return try #require(try await fixture.reopened().rollbackAnchor)
    }

    private func mark(_ first: UInt64, of body: [UInt8]) -> [UInt8] {
        let count = withUnsafeBytes(of: first.littleEndian) { Array($0) }
        return Array(SHA256.hash(data: Array("signet counter v1 ".utf8) + body[Self.name] + count)) + count
    }

    @Test(
        "It stays when the counter goes on, and another one is damage: without its mark, with one that fits, with neither"
    )
    func forged() async throws {
        let fixture = try await ChipFixture()
        let body = try VaultRecord(octets: try fixture.folder.bytes(of: "vault")).body
        let honest = try await anchor(of: fixture, after: body)
        let first = try await honest.value()
        #expect(try await honest.advance() == first + 1)
        #expect(try await honest.firstValue() == first)

        let known = mark(first, of: body)
        #expect(body.suffix(8) == known.suffix(8))
        let later = mark(first + 1, of: body)
        #expect(throws: KeyVaultError.damaged) { try VaultRecord(body: Array(body.dropLast(8) + later.suffix(8))) }
        let place = try #require(body.indices.first { body[$0...].starts(with: known.prefix(32)) })
        var moved = Array(body.dropLast(8) + later.suffix(8))
        moved.replaceSubrange(place..<(place + 32), with: later.prefix(32))
        var bare = Array(body.dropLast(8))
        bare.removeSubrange(place..<(place + 32))
        // Sizes: of the policy, of the public area as the chip has it, and as the record has it.
        for size in [place - 1, Self.head + 3, Self.head] { bare[size] -= 32 }
        for forged in [moved, bare] {
            let anchor = try await anchor(of: fixture, after: forged)
            await #expect(throws: KeyVaultError.damaged) { try await anchor.firstValue() }
        }
    }

    @Test("A vault of before it was kept opens and counts; a sealed secret in place of its key vouches for nothing")
    func unmarked() async throws {
        let fixture = try await ChipFixture()
        let body = try VaultRecord(octets: try fixture.folder.bytes(of: "vault")).body
        let chip = fixture.chip
        let parent = "fixedtpm|fixedparent|sensitivedataorigin|userwithauth|noda|restricted|decrypt"
        // Two coordinates of zeros, as the tool holds them in memory.
        let coordinate = [32] + [UInt8](repeating: 0, count: 129)
        try chip.place(coordinate + coordinate, as: "unique")
        try chip.tool(
            "tpm2_createprimary", "-C", "o", "-G", "ecc256:aes128cfb", "-a", parent, "-u", "unique", "-c", "parent")
        let key = "fixedtpm|fixedparent|sensitivedataorigin|userwithauth|noda|sign"
        try chip.tool(
            "tpm2_create", "-C", "parent", "-G", "hmac:sha256", "-a", key, "-u", "key.pub", "-r", "key.priv")
        try chip.tool("tpm2_flushcontext", "-t")
        let blobs = try ["key.pub", "key.priv"].flatMap { name in
            let blob = try chip.bytes(name)
            return [UInt8(blob.count & 0xFF), UInt8(blob.count >> 8)] + blob
        }
        let old = try await anchor(of: fixture, after: body.prefix(Self.head) + blobs)
        #expect(try await old.firstValue() == nil)
        #expect(try await old.advance() > 0)

        let sealed = try SealedRecord(octets: await fixture.vault.seal(.random(), behind: nil).bytes).body
        let exchanged = try await anchor(of: fixture, after: Array(body.prefix(Self.head) + sealed.dropFirst(53)))
        await #expect(throws: KeyVaultError.self) { try await exchanged.firstValue() }
    }
}
