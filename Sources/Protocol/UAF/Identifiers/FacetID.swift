/// Names one form of an application: a web origin, an Android signing certificate or an iOS bundle.
///
/// FIDO AppID and Facet Specification 1.1, 3.1; 1 to 512 Unicode scalar values. The platform determines it, never the caller.
/// Compared byte by byte.
public struct FacetID: Hashable, Sendable, CustomStringConvertible {
    /// Allowed number of Unicode scalar values.
    public static let scalarCounts = 1...512

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
