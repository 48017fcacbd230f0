package import StrictJSON

/// The metadata statements a server or client works with, by AAID.
///
/// An immutable value; a reload makes a new one.
///
/// ```swift
/// let catalog = MetadataCatalog.product.merging(try MetadataCatalog(document: document))
/// for statement in catalog.statements {
///     for warning in MetadataLinter.warnings(for: statement) { report(warning, about: statement.aaid) }
/// }
/// ```
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

extension MetadataCatalog {
    /// Reads a file that holds one statement or an array of them.
    ///
    /// Throws ``MessageError`` with the path to what is wrong.
    public init(document: [UInt8]) throws(MessageError) {
        self.init(try Self.statements(in: document))
    }

    package init(json: JSONValue) throws(JSONTypeError) { self.init(try Self.statements(in: json)) }

    /// All statements of such a file in their order, also several for one model.
    package static func statements(in document: [UInt8]) throws(MessageError) -> [MetadataStatement] {
        let json: JSONValue
        do throws(StrictJSONError) {
            json = try JSONParser.parse(document, limits: .document)
        } catch {
            throw MessageError(error)
        }
        do throws(JSONTypeError) {
            return try statements(in: json)
        } catch {
            throw MessageError(error)
        }
    }

    private static func statements(in json: JSONValue) throws(JSONTypeError) -> [MetadataStatement] {
        guard case .array = json else { return [try MetadataStatement(json: json, rules: .strict)] }
        return try json.asArray { statement throws(JSONTypeError) in
            try MetadataStatement(json: statement, rules: .strict)
        }
    }

    /// All statements as one JSON array in UTF-8.
    public var document: [UInt8] { JSONWriter.write(.array(statements.map(\.json))) }
}
