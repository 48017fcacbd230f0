import Octets

/// A secret made from a key of the device; it is wiped when nobody holds it any more.
///
/// It has no description and no coding.
public final class DeviceSecret: Sendable {
    /// Number of bytes.
    public static let byteCount = 32

    private let octets: SecretOctets

    /// Takes a copy of the bytes a vault made; nil unless there are ``byteCount`` of them.
    public init?(copying bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        octets = SecretOctets(copying: bytes)
    }

    /// Lends the bytes for the length of `body`; the pointer must not leave it.
    ///
    /// Throws what `body` throws.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try octets.withUnsafeBytes(body)
    }
}
