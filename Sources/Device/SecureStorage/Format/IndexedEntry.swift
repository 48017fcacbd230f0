/// Index record of one entry of a file in format 1.
struct IndexedEntry: Hashable, Sendable {
    /// Type of a stored value; the raw value is what the file records.
    enum Kind: UInt8, Sendable {
        case string = 1
        case bytes = 2
    }

    let name: EntryName
    let kind: Kind
    /// The commit that the value was put for.
    let putGeneration: UInt64
    /// Offset of the sealed value in the value area, in bytes.
    let offset: UInt32
    /// Bytes of the value with its context, without nonce and tag.
    let byteCount: UInt32

    /// Bytes that a sealed value is longer than what is sealed.
    static let sealOverhead = 12 + 16

    var sealedByteCount: Int { Int(byteCount) + Self.sealOverhead }
}
