import Octets

/// One CBOR item, read strictly (RFC 8949).
package enum CBORValue: Sendable, Hashable {
    /// An integer that is not negative (major type 0).
    case unsigned(UInt64)
    /// A negative integer, -1 minus the value held here (major type 1).
    case negative(UInt64)
    case bytes([UInt8])
    case text(String)
    case array([CBORValue])
    case map(CBORMap)
    case bool(Bool)
    case null

    /// An integer, for writing and comparing.
    package static func integer(_ value: Int64) -> CBORValue {
        value < 0 ? .negative(UInt64(bitPattern: ~value)) : .unsigned(UInt64(bitPattern: value))
    }

    /// The integer, when it fits 64 bits with a sign; nil for other kinds.
    package var integer: Int64? {
        switch self {
        case .unsigned(let value): Int64(exactly: value)
        case .negative(let value): Int64(exactly: value).map { ~$0 }
        default: nil
        }
    }

    /// The bytes of a byte string; nil for other kinds.
    package var octets: [UInt8]? {
        guard case .bytes(let octets) = self else { return nil }
        return octets
    }

    /// The text of a text string; nil for other kinds.
    package var text: String? {
        guard case .text(let text) = self else { return nil }
        return text
    }

    /// The elements of an array; nil for other kinds.
    package var elements: [CBORValue]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    /// The members of a map; nil for other kinds.
    package var map: CBORMap? {
        guard case .map(let map) = self else { return nil }
        return map
    }
}

/// Members of a CBOR map; no name occurs twice.
///
/// Those that were read stand in the order of their encoded names.
package struct CBORMap: Sendable, Hashable {
    /// Name of a member: an integer or a text.
    package enum Key: Sendable, Hashable {
        case integer(Int64)
        case text(String)
    }

    /// One name with its value.
    package struct Member: Sendable, Hashable {
        package let key: Key
        package let value: CBORValue

        /// Pairs a name with a value.
        package init(_ key: Key, _ value: CBORValue) {
            self.key = key
            self.value = value
        }
    }

    /// All members.
    package let members: [Member]

    /// Takes members whose names differ; the writer puts them in order.
    package init(_ members: [Member]) {
        self.members = members
    }

    /// The value of the member whose name is exactly this text.
    package subscript(name: String) -> CBORValue? {
        members.first {
            if case .text(let text) = $0.key { text.hasSameOctets(as: name) } else { false }
        }?.value
    }

    /// The value of the member whose name is this integer.
    package subscript(number number: Int64) -> CBORValue? {
        members.first {
            if case .integer(let integer) = $0.key { integer == number } else { false }
        }?.value
    }
}
