import StrictJSON

/// The array that a UAF message is.
///
/// FIDO UAF Protocol 1.1, 3.1.3: UAF 1.1 sends exactly one element; a client copes with one element for each version.
struct MessageEnvelope {
    private let elements: [(version: ProtocolVersion, json: JSONValue)]

    /// Reads the array and the version of each element; no version may occur twice.
    init(_ message: [UInt8], rules: DecodingRules) throws(MessageError) {
        let document: JSONValue
        do throws(StrictJSONError) {
            document = try JSONParser.parse(message)
        } catch {
            throw MessageError(error)
        }
        do throws(JSONTypeError) {
            elements = try document.asArray { element throws(JSONTypeError) in
                (try Self.version(of: element, rules: rules), element)
            }
        } catch {
            throw MessageError(error)
        }
        guard !elements.isEmpty else { throw .emptyMessage }
        guard Set(elements.map(\.version)).count == elements.count else { throw .severalElements }
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
    static func operation(of element: JSONValue) throws(JSONTypeError) -> Operation {
        try element.asObject().required("header") { header throws(JSONTypeError) in
            try header.asObject().required("op") { value throws(JSONTypeError) in
                guard let operation = Operation(rawValue: try value.asString()) else {
                    throw JSONTypeError(.invalidForm)
                }
                return operation
            }
        }
    }

    private static func version(
        of element: JSONValue, rules: DecodingRules
    ) throws(JSONTypeError) -> ProtocolVersion {
        try element.asObject().required("header") { header throws(JSONTypeError) in
            try header.asObject().required("upv", rules: rules)
        }
    }
}
