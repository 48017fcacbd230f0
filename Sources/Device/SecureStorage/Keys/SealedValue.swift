import Crypto
import Octets

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Bytes under AES-256-GCM: nonce 12, ciphertext, tag 16.
struct SealedValue: Sendable {
    static let overhead = 12 + 16

    private let box: AES.GCM.SealedBox
    /// Tag, by which a list vouches for the value; also in the box, where it takes longer to get at.
    let tag: SealTag
    let plainByteCount: Int

    init?(_ combined: UnsafeRawBufferPointer) {
        self.init(Data(combined))
    }

    /// The same under a tag that is known from elsewhere; a damaged one does no harm then.
    init?(_ combined: UnsafeRawBufferPointer, under tag: SealTag) {
        guard combined.count >= Self.overhead else { return nil }
        var bytes = Data(combined)
        let place = combined.count - SealTag.byteCount
        if SealTag(UnsafeRawBufferPointer(rebasing: combined[place...])) != tag {
            bytes.withUnsafeMutableBytes { tag.write(to: UnsafeMutableRawBufferPointer(rebasing: $0[place...])) }
        }
        self.init(bytes)
    }

    /// Lends bytes where they lie, for a value that is opened once: it must not leave `body`.
    static func withBorrowed<Result>(
        _ combined: UnsafeRawBufferPointer, _ body: (SealedValue) -> Result
    ) -> Result? {
        guard let start = combined.baseAddress else { return nil }
        let bytes = Data(
            bytesNoCopy: UnsafeMutableRawPointer(mutating: start), count: combined.count, deallocator: .none)
        return SealedValue(bytes).map(body)
    }

    private init?(_ combined: Data) {
        guard let box = try? AES.GCM.SealedBox(combined: combined), let tag = Self.tag(of: combined) else { return nil }
        self.box = box
        self.tag = tag
        plainByteCount = combined.count - Self.overhead
    }

    /// Seals bytes with a fresh nonce.
    init(_ plain: UnsafeRawBufferPointer, using key: SymmetricKey, nonce: AES.GCM.Nonce) throws(SecureStorageError) {
        do {
            box = try AES.GCM.seal(plain, using: key, nonce: nonce)
        } catch {
            throw .valueInvalid
        }
        guard let tag = box.combined.flatMap(Self.tag) else { throw .valueInvalid }
        self.tag = tag
        plainByteCount = plain.count
    }

    private static func tag(of combined: Data) -> SealTag? {
        combined.withUnsafeBytes { SealTag(UnsafeRawBufferPointer(rebasing: $0.suffix(SealTag.byteCount))) }
    }

    /// Nonce, ciphertext, tag.
    var combined: Data { box.combined ?? Data() }

    /// Appends nonce, ciphertext and tag; copied as one piece, unlike by code that is generic in another module.
    func append(to bytes: inout [UInt8]) {
        combined.withUnsafeBytes { bytes.append(contentsOf: $0) }
    }

    var byteCount: Int { plainByteCount + Self.overhead }

    /// Opens the bytes, lends them for the length of `body` and wipes them; nil when they are not what was sealed.
    ///
    /// The library has a separate path for boxes without a context, which takes two thirds of the time.
    func opened<Result>(using key: SymmetricKey, _ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
        guard let plain = try? AES.GCM.open(box, using: key) else { return nil }
        return Self.lend(plain, to: body)
    }

    func opened<Result>(
        using key: SymmetricKey, authenticating context: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result? {
        guard let plain = try? AES.GCM.open(box, using: key, authenticating: context) else { return nil }
        return Self.lend(plain, to: body)
    }

    /// Lends bytes and wipes them where they are.
    ///
    /// The library has allocated them for this value alone, whose bytes no other code changes or keeps. Fewer than 15 bytes
    /// would be copied into the `Data` value itself, where they cannot be wiped: what is secret is never that short.
    private static func lend<Result>(_ plain: Data, to body: (UnsafeRawBufferPointer) -> Result) -> Result {
        plain.withUnsafeBytes { bytes in
            defer { SecretOctets.wipe(UnsafeMutableRawBufferPointer(mutating: bytes)) }
            return body(bytes)
        }
    }
}
