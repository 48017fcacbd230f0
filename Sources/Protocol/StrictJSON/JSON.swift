import Octets

/// One JSON value, read strictly (RFC 8259).
package enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

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
    package let text: String
    /// The value when the number is written as an integer (no fraction, no exponent, not `-0`) of at most 64 bits.
    package let integer: Int64?

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

        package init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// The text that the object was read from; an empty one for an object that was made here.
    private let document: JSONDocument
    /// The index of the object's token in the text; nil for an object that was made here.
    private let token: Int?
    /// The members of an object that was made here.
    private var made: [Member]

    /// An object for writing; members whose value is nil are left out.
    package init(_ members: KeyValuePairs<String, JSONValue?>) {
        self.init(present: members.lazy.map { ($0.key, $0.value) })
    }

    /// Takes members that are known to have distinct names.
    package init(distinct members: [Member]) {
        document = .none
        token = nil
        made = members
    }

    /// Takes the pairs that have a value, in memory that is asked for once.
    private init(present pairs: some Collection<(String, JSONValue?)>) {
        var members: [Member] = []
        members.reserveCapacity(pairs.count)
        for (name, value) in pairs {
            if let value { members.append(Member(name, value)) }
        }
        self.init(distinct: members)
    }

    init(in document: JSONDocument, at token: Int) {
        self.document = document
        self.token = token
        made = []
    }

    package var members: [Member] { token.map(document.members) ?? made }

    package subscript(name: String) -> JSONValue? {
        guard let token else { return made.first { $0.name.hasSameOctets(as: name) }?.value }
        var name = name
        return name.withUTF8 { document.member($0, of: token) }
    }

    /// The value of the member with exactly this name, which is known when the program is built.
    package func member(_ name: StaticString) -> JSONValue? {
        guard let token else { return self[name.description] }
        return document.member(
            UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount), of: token)
    }

    /// Adds a member at the end; the caller guarantees that the name is new.
    package mutating func append(_ name: String, _ value: JSONValue?) {
        guard let value else { return }
        self = JSONObject(distinct: members + [Member(name, value)])
    }

    package static func == (one: JSONObject, other: JSONObject) -> Bool {
        one.members == other.members
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(members) }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// An object for writing; members whose value is nil are left out.
    package init(dictionaryLiteral members: (String, JSONValue?)...) { self.init(present: members) }
}
