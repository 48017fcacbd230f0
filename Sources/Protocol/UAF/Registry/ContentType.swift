/// MIME type of a transaction's content.
///
/// FIDO UAF Protocol 1.1, 3.5.2. Unknown types are kept, so that an authenticator that has no display for them can be
/// passed over. Compared byte by byte.
public struct ContentType: Hashable, Sendable, CustomStringConvertible {
    /// Text, at most 200 characters.
    public static let plainText = ContentType("text/plain")
    /// A PNG image.
    public static let png = ContentType("image/png")

    private let exact: ExactString

    /// Takes a media type as it is.
    public init(_ name: String) { exact = ExactString(name) }

    /// The media type as it was given.
    public var name: String { exact.text }

    /// Same as ``name``.
    public var description: String { name }
}
