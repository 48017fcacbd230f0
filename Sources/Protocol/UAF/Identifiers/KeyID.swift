import Octets

/// Identifier of one key of an authenticator model; unique within an AAID.
///
/// FIDO UAF Protocol 1.1, 3.1.6. The specification asks for 32 to 2048 bytes. Clients in the field use fewer, and a
/// deregistration must be able to name such keys, so the type holds 1 to 2048 bytes; a *new* key has to
/// have one of the ``specifiedByteCounts``.
public struct KeyID: Hashable, Sendable, CustomStringConvertible {
    /// Lengths in bytes that the type can hold.
    public static let byteCounts = 1...2048
    /// Lengths in bytes that the specification allows.
    public static let specifiedByteCounts = 32...2048

    /// The raw bytes, as they appear in an assertion.
    public let octets: [UInt8]

    /// Takes 1 to 2048 bytes; nil for another number.
    public init?(_ octets: some Collection<UInt8>) {
        guard Self.byteCounts.contains(octets.count) else { return nil }
        self.octets = Array(octets)
    }

    /// Reads unpadded base64url, as it appears in messages; nil for anything else.
    public init?(base64URL text: String) {
        guard let octets = try? Base64URL.decode(text) else { return nil }
        self.init(octets)
    }

    /// The unpadded base64url text.
    public var base64URL: String { Base64URL.encode(octets) }

    /// Same as ``base64URL``.
    public var description: String { base64URL }
}
