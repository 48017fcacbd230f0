package import StrictJSON

extension MetadataCatalog {
    /// Reads a file that holds one statement or an array of them.
    ///
    /// Throws ``MessageError`` with the path to what is wrong.
    public init(document: [UInt8]) throws(MessageError) {
        self.init(try Self.statements(in: document))
    }

    package init(json: JSONValue) throws(JSONTypeError) {
        self.init(try Self.statements(in: json))
    }

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
