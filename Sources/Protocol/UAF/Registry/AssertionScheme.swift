/// How an assertion is encoded; names have eight characters.
///
/// FIDO UAF Registry 1.1, 2; unknown schemes are kept and skipped by the server. Compared byte by byte.
public struct AssertionScheme: Hashable, Sendable, CustomStringConvertible {
    /// The TLV encoding of FIDO UAF 1.0 and 1.1, the only one this package reads.
    public static let uafV1TLV = AssertionScheme("UAFV1TLV")

    private let exact: ExactString

    /// Takes a name as it is.
    public init(_ name: String) {
        exact = ExactString(name)
    }

    /// The name as it was given.
    public var name: String { exact.text }

    /// Same as ``name``.
    public var description: String { name }
}
