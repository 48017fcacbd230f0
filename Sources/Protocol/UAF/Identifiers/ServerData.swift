/// Session data of the server, returned unchanged with the response; opaque to the client.
///
/// FIDO UAF Protocol 1.1, 3.1.3; 1 to 1536 Unicode scalar values.
/// Compared byte by byte.
public struct ServerData: Hashable, Sendable, CustomStringConvertible {
    /// Allowed number of Unicode scalar values.
    public static let scalarCounts = 1...1536

    private let exact: ExactString

    /// Takes text of an allowed length; nil for anything else.
    public init?(_ text: String) {
        guard let exact = ExactString(text, scalarCount: Self.scalarCounts) else { return nil }
        self.exact = exact
    }

    /// The text as it was given.
    public var text: String { exact.text }

    /// Same as ``text``.
    public var description: String { text }
}
