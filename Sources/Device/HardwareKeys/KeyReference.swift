/// The name of a key in its vault; it says nothing about the key and is no secret.
public struct KeyReference: Hashable, Sendable {
    /// Number of bytes of ``bytes``.
    public static let byteCount = 16

    /// The name, 16 bytes.
    public let bytes: [UInt8]

    /// Takes a stored name; nil unless it has ``byteCount`` bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// A new name that no other key has.
    public static func fresh() -> KeyReference {
        KeyReference(fresh: FreshOctets.make(count: byteCount))
    }

    private init(fresh bytes: [UInt8]) {
        self.bytes = bytes
    }
}
