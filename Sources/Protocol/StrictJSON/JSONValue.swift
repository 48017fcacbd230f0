/// One JSON value, read strictly (RFC 8259).
package enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    /// An integer, for writing.
    package static func integer(_ value: some BinaryInteger) -> JSONValue {
        .number(JSONNumber(integer: Int64(clamping: value)))
    }

    /// The JSON name of the value's kind, for error messages.
    package var kind: JSONKind {
        switch self {
        case .null: .null
        case .bool: .boolean
        case .number: .number
        case .string: .string
        case .array: .array
        case .object: .object
        }
    }
}
