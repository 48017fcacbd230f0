package import Octets

/// Strictness of a reader of messages.
///
/// Everything beyond base64url is always strict.
public struct DecodingRules: Hashable, Sendable {
    /// Follows the specification to the letter.
    public static let strict = DecodingRules()

    /// Whether padding, white space and the standard alphabet are accepted in base64url, as some clients send them.
    ///
    /// Off by default: two texts would then stand for one value.
    public var toleratesSloppyBase64URL = false

    /// The strict rules; change what differs.
    public init() {}

    /// Largest text of a transaction in bytes; nil for the 200 characters of the protocol (3.5.3), which real servers
    /// exceed.
    public var transactionTextByteLimit: Int?

    package var base64URL: Base64URL.Strictness { toleratesSloppyBase64URL ? .lenient : .strict }
}
