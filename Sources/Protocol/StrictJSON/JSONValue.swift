import Octets

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

/// The kinds of JSON values.
package enum JSONKind: String, Sendable, Hashable {
    case null, boolean, number, integer, string, array, object
}

/// A number as it was written.
package struct JSONNumber: Sendable, Hashable {
    /// The characters of the number.
    package let text: String
    /// The value when the number is written as an integer (no fraction, no exponent, not `-0`) of at most 64 bits.
    package let integer: Int64?

    /// A number to be written.
    package init(integer: Int64) {
        text = String(integer)
        self.integer = integer
    }

    init(text: String) {
        self.text = text
        integer = text.hasSameOctets(as: "-0") ? nil : Int64(text)
    }
}
