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

/// The members of a JSON object in the order they were written; no name occurs twice.
package struct JSONObject: Sendable, Hashable {
    /// One name with its value.
    package struct Member: Sendable, Hashable {
        package let name: String
        package let value: JSONValue

        /// Pairs a name with a value.
        package init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    private enum Content: Sendable {
        /// Made here.
        case members([Member])
        /// Read from a text, in which the object is the token at an index.
        case text(JSONDocument, Int)
    }

    private var content: Content

    /// An object for writing; members whose value is nil are left out.
    package init(_ members: KeyValuePairs<String, JSONValue?>) {
        self.init(distinct: members.compactMap { name, value in value.map { Member(name, $0) } })
    }

    /// Takes members that are known to have distinct names.
    package init(distinct members: [Member]) {
        content = .members(members)
    }

    /// The object that a token of a text stands for.
    init(in document: JSONDocument, at token: Int) {
        content = .text(document, token)
    }

    /// All members, in order.
    package var members: [Member] {
        switch content {
        case .members(let members): members
        case .text(let document, let token): document.members(of: token)
        }
    }

    /// The value of the member with exactly this name.
    package subscript(name: String) -> JSONValue? {
        switch content {
        case .members(let members): members.first { $0.name.hasSameOctets(as: name) }?.value
        case .text(let document, let token): document.member(name, of: token)
        }
    }

    /// Adds a member at the end; the caller guarantees that the name is new.
    package mutating func append(_ name: String, _ value: JSONValue?) {
        guard let value else { return }
        content = .members(members + [Member(name, value)])
    }

    package static func == (one: JSONObject, other: JSONObject) -> Bool {
        one.members == other.members
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(members)
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// An object for writing; members whose value is nil are left out.
    package init(dictionaryLiteral members: (String, JSONValue?)...) {
        self.init(distinct: members.compactMap { name, value in value.map { Member(name, $0) } })
    }
}
