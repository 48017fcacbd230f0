/// The name of the user's account at the relying party, for display.
///
/// FIDO UAF Protocol 1.1, 3.4.1; 1 to 128 Unicode scalar values, and not authenticated by anything.
/// Compared byte by byte.
public struct UserName: Hashable, Sendable, CustomStringConvertible {
    /// Allowed number of Unicode scalar values.
    public static let scalarCounts = 1...128

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
