public import UAF

/// JSON document inside another one, as the text of its `context` member.
///
/// Equality compares the bytes, as for ``MessageBody``.
public protocol RequestContext: Sendable, Hashable {
    /// The operation whose request carries this context.
    static var operation: OperationKind { get }

    /// Reads the text of a `context` member, as strictly as a body.
    ///
    /// Throws ``BackendAPIError/unreadableContext(path:)``.
    init(text: String) throws(BackendAPIError)

    /// The text for a `context` member.
    var text: String { get }
}

extension RequestContext {
    /// Whether both are written with the same bytes.
    public static func == (one: Self, other: Self) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }

    /// Feeds the bytes of the text to the hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(Array(text.utf8)) }
}
