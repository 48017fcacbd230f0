/// Tag of a value under AES-GCM, by which a list vouches for the value itself and not only for its name.
///
/// Two values that were put for the same commit, of which only one was written, have the same context and other tags.
struct SealTag: Hashable, Sendable {
    static let byteCount = 16
    /// Tag of an entry that was removed.
    static let none = SealTag(low: 0, high: 0)

    let low: UInt64
    let high: UInt64

    private init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    /// Takes sixteen bytes; nil for another number of them.
    ///
    /// Not from a collection: going through `Data` byte by byte took most of a commit.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.byteCount else { return nil }
        self.init(
            low: UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self)),
            high: UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }

    /// Writes the sixteen bytes to the beginning of memory that has room for them.
    func write(to memory: UnsafeMutableRawBufferPointer) {
        memory.storeBytes(of: low.littleEndian, as: UInt64.self)
        memory.storeBytes(of: high.littleEndian, toByteOffset: 8, as: UInt64.self)
    }
}
