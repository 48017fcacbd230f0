import Crypto
import CryptoExtras

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Bytes under AES-256-GCM: nonce 12, ciphertext, tag 16.
struct SealedValue: Sendable {
    /// Plaintexts under this size would be copied into the `Data` value itself, where nobody can wipe them.
    private static let inlineByteLimit = 16
    private static let blockByteCount = 16
    private static let nonceByteCount = 12

    private let box: AES.GCM.SealedBox
    /// Number of bytes of what is sealed.
    let plainByteCount: Int

    /// Takes stored bytes; nil when they are too few.
    init?(_ combined: some Collection<UInt8>) {
        guard let box = try? AES.GCM.SealedBox(combined: Data(combined)) else { return nil }
        self.box = box
        plainByteCount = combined.count - IndexedEntry.sealOverhead
    }

    /// Seals bytes with a fresh nonce.
    init(
        _ plain: UnsafeRawBufferPointer, using key: SymmetricKey, nonce: AES.GCM.Nonce,
        authenticating context: UnsafeRawBufferPointer
    ) throws(SecureStorageError) {
        do {
            box = try AES.GCM.seal(plain, using: key, nonce: nonce, authenticating: context)
        } catch {
            throw .valueInvalid
        }
        plainByteCount = plain.count
    }

    /// Nonce, ciphertext, tag.
    var combined: Data { box.combined ?? Data() }

    /// Appends nonce, ciphertext and tag; copied as one piece, unlike by code that is generic in another module.
    func append(to bytes: inout [UInt8]) {
        combined.withUnsafeBytes { bytes.append(contentsOf: $0) }
    }

    /// Number of bytes of ``combined``.
    var byteCount: Int { plainByteCount + IndexedEntry.sealOverhead }

    /// Opens the bytes, lends them for the length of `body` and wipes them; nil when they are not what was sealed.
    func opened<Result>(
        using key: SymmetricKey, authenticating context: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result? {
        guard plainByteCount >= Self.inlineByteLimit else {
            return openedInPlace(using: key, authenticating: context, body)
        }
        guard var plain = try? AES.GCM.open(box, using: key, authenticating: context) else { return nil }
        // Nobody else holds these bytes, so they are wiped where they are.
        defer { plain.withUnsafeMutableBytes { LockedOctets.wipe($0) } }
        return plain.withUnsafeBytes { body($0) }
    }

    /// The same for at most one block: counter mode by hand into memory of our own, checked by sealing again.
    ///
    /// SP 800-38D, 7.2: the first block is encrypted under the nonce with counter 2.
    private func openedInPlace<Result>(
        using key: SymmetricKey, authenticating context: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result? {
        withUnsafeTemporaryAllocation(byteCount: Self.blockByteCount, alignment: 1) { block in
            defer { LockedOctets.wipe(block) }
            guard fillWithKeyStream(block, key) else { return nil }
            for (index, byte) in box.ciphertext.enumerated() { block[index] ^= byte }
            let plain = UnsafeRawBufferPointer(rebasing: block[..<plainByteCount])
            guard
                let again = try? AES.GCM.seal(plain, using: key, nonce: box.nonce, authenticating: context),
                Self.areEqual(again.tag, box.tag)
            else { return nil }
            return body(plain)
        }
    }

    private func fillWithKeyStream(_ block: UnsafeMutableRawBufferPointer, _ key: SymmetricKey) -> Bool {
        box.nonce.withUnsafeBytes { block.copyMemory(from: $0) }
        block[Self.nonceByteCount...].copyBytes(from: [0, 0, 0, 2])
        var octets = block.bindMemory(to: UInt8.self)
        return (try? AES.permute(&octets, key: key)) != nil
    }

    private static func areEqual(_ one: Data, _ other: Data) -> Bool {
        zip(one, other).reduce(into: 0 as UInt8) { $0 |= $1.0 ^ $1.1 } == 0
    }
}
