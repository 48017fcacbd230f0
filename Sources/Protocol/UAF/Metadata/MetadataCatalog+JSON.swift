package import StrictJSON

extension MetadataCatalog {
    /// Reads a file that holds one statement or an array of them.
    ///
    /// Throws ``MessageError`` with the path to what is wrong.
    public init(document: [UInt8]) throws(MessageError) {
        let json: JSONValue
        do throws(StrictJSONError) {
            json = try JSONParser.parse(document, limits: .document)
        } catch {
            throw MessageError(error)
        }
        do throws(JSONTypeError) {
            try self.init(json: json)
        } catch {
            throw MessageError(error)
        }
    }

    package init(json: JSONValue) throws(JSONTypeError) {
        guard case .array = json else {
            self.init([try MetadataStatement(json: json, rules: .strict)])
            return
        }
        self.init(
            try json.asArray { statement throws(JSONTypeError) in
                try MetadataStatement(json: statement, rules: .strict)
            })
    }

    /// All statements as one JSON array in UTF-8.
    public var document: [UInt8] { JSONWriter.write(.array(statements.map(\.json))) }
}
