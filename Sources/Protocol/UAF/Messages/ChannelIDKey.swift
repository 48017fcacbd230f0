/// The public key of a TLS channel ID (`JwkKey`), a point on P-256.
///
/// FIDO UAF Protocol 1.1, 3.1.11. Nobody has checked that the point lies on the curve.
public struct ChannelIDKey: Hashable, Sendable {
    /// Length of a coordinate in bytes.
    public static let coordinateByteCount = 32

    /// First coordinate, big-endian.
    public let x: [UInt8]
    /// Second coordinate, big-endian.
    public let y: [UInt8]

    /// Takes two coordinates of 32 bytes; nil for other lengths.
    public init?(x: [UInt8], y: [UInt8]) {
        guard x.count == Self.coordinateByteCount, y.count == Self.coordinateByteCount else { return nil }
        self.x = x
        self.y = y
    }
}
