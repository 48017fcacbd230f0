import Octets

/// Reads one CBOR item in linear time.
///
/// It takes the canonical form of CTAP 2 only (section 8): definite lengths, numbers in their shortest form, members in
/// the order of their names, no tags. So an item has one encoding, and no two readers disagree about it. Floating-point
/// numbers, `undefined` and further simple values are refused as well: no statement holds them.
package struct CBORParser {
    private enum Major {
        static let unsigned: UInt8 = 0
        static let negative: UInt8 = 1
        static let bytes: UInt8 = 2
        static let text: UInt8 = 3
        static let array: UInt8 = 4
        static let map: UInt8 = 5
    }

    /// First byte of an item, and the number that belongs to it.
    private struct Head {
        let major: UInt8
        let argument: UInt64
        let offset: Int
    }

    private static let no: UInt8 = 0xF4
    private static let yes: UInt8 = 0xF5
    private static let null: UInt8 = 0xF6
    private static let simpleMajor: UInt8 = 7

    private let octets: ArraySlice<UInt8>
    private var reader: OctetReader
    private let limits: CBORLimits

    package static func parse(
        _ bytes: ArraySlice<UInt8>, limits: CBORLimits = .statement
    ) throws(StrictCBORError) -> CBORValue {
        let (value, rest) = try parsePrefix(of: bytes, limits: limits)
        guard rest.isEmpty else { throw .trailingContent(offset: bytes.count - rest.count) }
        return value
    }

    package static func parse(
        _ bytes: [UInt8], limits: CBORLimits = .statement
    ) throws(StrictCBORError) -> CBORValue {
        try parse(bytes[...], limits: limits)
    }

    package static func parsePrefix(
        of bytes: ArraySlice<UInt8>, limits: CBORLimits = .statement
    ) throws(StrictCBORError) -> (value: CBORValue, rest: ArraySlice<UInt8>) {
        guard bytes.count <= limits.byteCount else {
            throw .tooLarge(byteCount: bytes.count, limit: limits.byteCount)
        }
        var parser = CBORParser(octets: bytes, reader: OctetReader(bytes), limits: limits)
        let value = try parser.readItem(depth: 0)
        return (value, parser.reader.rest)
    }

    // MARK: - Items

    /// Reads an item inside `depth` containers, of which the limits allow few.
    private mutating func readItem(depth: Int) throws(StrictCBORError) -> CBORValue {
        let offset = reader.position
        let first = try readUInt8()
        guard first >> 5 != Self.simpleMajor else { return try simple(first, at: offset) }
        let head = try readHead(first, at: offset)
        switch head.major {
        case Major.unsigned: return .unsigned(head.argument)
        case Major.negative: return .negative(head.argument)
        case Major.bytes: return .bytes(Array(try readString(head)))
        case Major.text: return .text(try readText(head))
        case Major.array: return .array(try readArray(head, depth: depth))
        case Major.map: return .map(try readMap(head, depth: depth))
        default: throw .unsupportedItem(offset: offset)
        }
    }

    private func simple(_ first: UInt8, at offset: Int) throws(StrictCBORError) -> CBORValue {
        switch first {
        case Self.no: return .bool(false)
        case Self.yes: return .bool(true)
        case Self.null: return .null
        case 0xFF: throw .indefiniteLength(offset: offset)
        default: throw .unsupportedItem(offset: offset)
        }
    }

    private mutating func readHead(_ first: UInt8, at offset: Int) throws(StrictCBORError) -> Head {
        let major = first >> 5
        let short = first & 0x1F
        switch short {
        case 0..<24: return Head(major: major, argument: UInt64(short), offset: offset)
        case 24...27: break
        // Tags and integers have no indefinite form: those bytes mean nothing.
        case 31 where (Major.bytes...Major.map).contains(major): throw .indefiniteLength(offset: offset)
        default: throw .unsupportedItem(offset: offset)
        }
        let byteCount = 1 << Int(short - 24)
        var argument: UInt64 = 0
        for octet in try read(count: byteCount) { argument = argument << 8 | UInt64(octet) }
        let least: UInt64 = byteCount == 1 ? 24 : 1 << UInt64(byteCount * 4)
        guard argument >= least else { throw .notShortest(offset: offset) }
        return Head(major: major, argument: argument, offset: offset)
    }

    private mutating func readString(_ head: Head) throws(StrictCBORError) -> ArraySlice<UInt8> {
        guard let count = Int(exactly: head.argument) else { throw .unexpectedEnd(offset: head.offset) }
        return try read(count: count)
    }

    private mutating func readText(_ head: Head) throws(StrictCBORError) -> String {
        guard let text = String(validUTF8: try readString(head)) else { throw .invalidUTF8(offset: head.offset) }
        return text
    }

    // MARK: - Containers

    private mutating func readArray(_ head: Head, depth: Int) throws(StrictCBORError) -> [CBORValue] {
        let count = try elementCount(head, depth: depth)
        var elements: [CBORValue] = []
        for _ in 0..<count { elements.append(try readItem(depth: depth + 1)) }
        return elements
    }

    private mutating func readMap(_ head: Head, depth: Int) throws(StrictCBORError) -> CBORMap {
        let count = try elementCount(head, depth: depth)
        var members: [CBORMap.Member] = []
        var last: ArraySlice<UInt8> = []
        for _ in 0..<count {
            let offset = reader.position
            let key = try readKey(depth: depth + 1)
            let encoded = octets[(octets.startIndex + offset)..<(octets.startIndex + reader.position)]
            guard !encoded.elementsEqual(last) else { throw .duplicateKey(offset: offset) }
            guard last.lexicographicallyPrecedes(encoded) else { throw .wrongOrder(offset: offset) }
            last = encoded
            members.append(CBORMap.Member(key, try readItem(depth: depth + 1)))
        }
        return CBORMap(members)
    }

    private mutating func readKey(depth: Int) throws(StrictCBORError) -> CBORMap.Key {
        let offset = reader.position
        switch try readItem(depth: depth) {
        case .text(let text): return .text(text)
        case let value:
            guard let integer = value.integer else { throw .unsupportedKey(offset: offset) }
            return .integer(integer)
        }
    }

    /// The number of elements or members, judged before any of them is read.
    private func elementCount(_ head: Head, depth: Int) throws(StrictCBORError) -> Int {
        guard depth < limits.depth else { throw .tooDeep(offset: head.offset, limit: limits.depth) }
        guard head.argument <= UInt64(limits.elementCount) else {
            throw .tooManyElements(offset: head.offset, limit: limits.elementCount)
        }
        return Int(head.argument)
    }

    // MARK: - Bytes

    private mutating func readUInt8() throws(StrictCBORError) -> UInt8 {
        guard let octet = try? reader.readUInt8() else { throw .unexpectedEnd(offset: reader.position) }
        return octet
    }

    private mutating func read(count: Int) throws(StrictCBORError) -> ArraySlice<UInt8> {
        guard let taken = try? reader.read(count: count) else { throw .unexpectedEnd(offset: reader.position) }
        return taken
    }
}
