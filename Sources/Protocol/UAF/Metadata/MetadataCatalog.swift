/// The metadata statements a server or client works with, by AAID.
///
/// An immutable value; a reload makes a new one.
public struct MetadataCatalog: Hashable, Sendable {
    private let statementsByAAID: [AAID: MetadataStatement]

    /// Takes statements; of several for one AAID the last wins, so later files override earlier ones.
    public init(_ statements: [MetadataStatement]) {
        statementsByAAID = Dictionary(statements.map { ($0.aaid, $0) }) { _, later in later }
    }

    /// The statement for a model, or nil when there is none (status 1480).
    public subscript(aaid: AAID) -> MetadataStatement? { statementsByAAID[aaid] }

    /// All statements, ordered by AAID.
    public var statements: [MetadataStatement] {
        statementsByAAID.values.sorted {
            ($0.aaid.vendor.number, $0.aaid.model) < ($1.aaid.vendor.number, $1.aaid.model)
        }
    }

    /// A catalogue in which `other` wins where both have a statement.
    public func merging(_ other: MetadataCatalog) -> MetadataCatalog {
        MetadataCatalog(statements + other.statements)
    }
}
