import StrictJSON

/// The array that a UAF message is.
///
/// FIDO UAF Protocol 1.1, 3.1.3: UAF 1.1 sends exactly one element; a client copes with one element for each version.
struct MessageEnvelope {
    private let elements: [Element]

    /// One response or request, of which only the version has been read.
    private struct Element {
        let version: ProtocolVersion
        let json: JSONValue
    }

    /// Reads the array and the version of each element; no version may occur twice.
    init(_ message: [UInt8], rules: DecodingRules) throws(MessageError) {
        let document: JSONValue
        do throws(StrictJSONError) {
            document = try JSONParser.parse(message)
        } catch {
            throw MessageError(error)
        }
        do throws(JSONTypeError) {
            elements = try document.readElements { element throws(JSONTypeError) in
                Element(version: try Self.header(of: element, member: "upv", rules: rules), json: element)
            }
        } catch {
            throw MessageError(error)
        }
        guard !elements.isEmpty else { throw .emptyMessage }
        guard elements.count == 1 || Set(elements.map(\.version)).count == elements.count else {
            throw .severalElements
        }
    }

    /// The element with the highest version among `versions`.
    func element(highestOf versions: Set<ProtocolVersion>) throws(MessageError) -> JSONValue {
        let chosen = try VersionNegotiation.highest(of: elements.map(\.version), supported: versions)
        guard let element = elements.first(where: { $0.version == chosen }) else { throw .unsupportedVersion }
        return element.json
    }

    /// The one element of the message.
    func onlyElement() throws(MessageError) -> JSONValue {
        guard elements.count == 1 else { throw .severalElements }
        return elements[0].json
    }

    /// The operation that the header of an element names.
    static func operation(of element: JSONValue, rules: DecodingRules) throws(JSONTypeError) -> Operation {
        try header(of: element, member: "op", rules: rules)
    }

    /// One member of the header of an element.
    private static func header<Value: JSONCoded>(
        of element: JSONValue, member name: String, rules: DecodingRules
    ) throws(JSONTypeError) -> Value {
        try element.asObject().read("header") { header throws(JSONTypeError) in
            try header.asObject().required(name, rules: rules)
        }
    }
}
