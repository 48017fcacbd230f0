package import StrictCBOR

/// Writes CBOR items in the canonical form of CTAP 2 (section 8).
package enum CBORWriter {
    /// The encoding of an item; members of maps are put in the order of their encoded names.
    package static func write(_ value: CBORValue) -> [UInt8] {
        switch value {
        case .unsigned(let number): head(0, number)
        case .negative(let number): head(1, number)
        case .bytes(let octets): head(2, UInt64(octets.count)) + octets
        case .text(let text): head(3, UInt64(text.utf8.count)) + Array(text.utf8)
        case .array(let elements): head(4, UInt64(elements.count)) + elements.flatMap(write)
        case .map(let map): head(5, UInt64(map.members.count)) + encoded(map)
        case .bool(let value): [value ? 0xF5 : 0xF4]
        case .null: [0xF6]
        }
    }

    private static func encoded(_ map: CBORMap) -> [UInt8] {
        map.members.map { (write($0.key.value), write($0.value)) }
            .sorted { $0.0.lexicographicallyPrecedes($1.0) }
            .flatMap { $0.0 + $0.1 }
    }

    /// The first byte of an item with its number in the shortest form.
    private static func head(_ major: UInt8, _ argument: UInt64) -> [UInt8] {
        let type = major << 5
        switch argument {
        case 0..<24: return [type | UInt8(argument)]
        case 24...0xFF: return [type | 24] + bytes(argument, count: 1)
        case 0x100...0xFFFF: return [type | 25] + bytes(argument, count: 2)
        case 0x1_0000...0xFFFF_FFFF: return [type | 26] + bytes(argument, count: 4)
        default: return [type | 27] + bytes(argument, count: 8)
        }
    }

    private static func bytes(_ argument: UInt64, count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: argument >> UInt64($0 * 8)) }
    }
}

extension CBORMap.Key {
    /// The name as an item.
    fileprivate var value: CBORValue {
        switch self {
        case .integer(let integer): .integer(integer)
        case .text(let text): .text(text)
        }
    }
}
