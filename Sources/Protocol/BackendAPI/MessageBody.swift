/// JSON document that is the body of a request or a response.
///
/// Both directions are one type, so client and server cannot disagree. Two values are equal when their bodies are the
/// same bytes: Swift's comparison of strings would take canonically equivalent names for equal. Which service takes and
/// answers which body: `docs/web/http-api.md`.
///
/// ```swift
/// let request = try GetUAFRequest(body: body)
/// let context = try request.context(as: RegistrationContext.self)
/// let forwarded = GetUAFRequest(context).body
/// ```
public protocol MessageBody: Sendable, Hashable {
    /// Reads a body; members that the interface does not name are ignored.
    ///
    /// Throws ``BackendAPIError/malformedBody(offset:)`` or ``BackendAPIError/invalidMember(path:)``.
    init(body: [UInt8]) throws(BackendAPIError)

    /// The UTF-8 text of the document, without white space.
    var body: [UInt8] { get }
}

extension MessageBody {
    /// Whether both are written with the same bytes.
    public static func == (one: Self, other: Self) -> Bool { one.body == other.body }

    /// Feeds the bytes of the document to the hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(body) }
}
