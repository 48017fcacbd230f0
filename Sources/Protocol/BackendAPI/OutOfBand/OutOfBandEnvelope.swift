import Octets

/// An out-of-band payload as it travels: plain, or encrypted to one device (`backend-http-api` 2.6).
public struct OutOfBandEnvelope: MessageBody {
    /// What the envelope holds.
    public enum Content: Hashable, Sendable {
        /// Everybody who gets hold of it can read it.
        case plain(OutOfBandContent)
        /// A compact JWE whose plaintext is the body of an ``OutOfBandContent``.
        case encrypted(String)
    }

    /// What the envelope holds.
    public let content: Content

    /// The only version there is.
    public static let version = "1"

    /// Wraps a content.
    public init(_ content: Content) {
        self.content = content
    }

    /// Reads the text of a QR code: the base64url of the document (2.6.2).
    ///
    /// Throws what ``init(body:)`` throws; text that is not base64url is ``BackendAPIError/malformedBody(offset:)``.
    public init(base64URL text: String) throws(BackendAPIError) {
        guard text.utf8.count <= Self.maximumByteCount,
            let octets = try? Base64URL.decode(text, strictness: .lenient)
        else { throw .malformedBody(offset: nil) }
        try self.init(body: octets)
    }

    /// The document as base64url without padding.
    public var base64URL: String { Base64URL.encode(body) }

    /// The longest text that is read, in bytes.
    public static let maximumByteCount = 64 * 1024

    /// The name of the parameter of a link that carries ``base64URL``.
    public static let linkParameter = "dispatchTokenResponse"
}
