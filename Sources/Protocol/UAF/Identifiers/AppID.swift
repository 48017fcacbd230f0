/// Identifier of the application that keys are made for: the URL of its list of trusted facets, or a FacetID.
///
/// FIDO AppID and Facet Specification 1.1; 1 to 512 Unicode scalar values.
/// Compared byte by byte.
public struct AppID: Hashable, Sendable, CustomStringConvertible {
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
