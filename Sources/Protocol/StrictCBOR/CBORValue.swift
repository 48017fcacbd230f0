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

    package var octets: [UInt8]? {
        guard case .bytes(let octets) = self else { return nil }
        return octets
    }

    package var text: String? {
        guard case .text(let text) = self else { return nil }
        return text
    }

    package var elements: [CBORValue]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    package var map: CBORMap? {
        guard case .map(let map) = self else { return nil }
        return map
    }
}
