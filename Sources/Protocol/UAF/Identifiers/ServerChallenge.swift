import Octets

/// The random bytes that make a request unique.
///
/// FIDO UAF Protocol 1.1, 3.1.7; 8 to 64 bytes. An attacker who can predict one can prepare an answer in advance.
public struct ServerChallenge: Hashable, Sendable {
    /// Allowed lengths in bytes.
    public static let byteCounts = 8...64

    /// The random bytes.
    public let octets: [UInt8]

    /// Takes 8 to 64 bytes; nil for another number.
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
}
