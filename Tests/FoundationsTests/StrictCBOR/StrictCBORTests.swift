import Octets
import StrictCBOR
import TestSupport
import Testing

@Suite("CBOR is read in one form only (RFC 8949; CTAP 2, section 8)")
struct StrictCBORTests {
    /// Input in hexadecimal digits, with what it means.
    struct Accepted: CustomTestStringConvertible, Sendable {
        let hex: String
        let value: CBORValue

        init(_ hex: String, _ value: CBORValue) {
            self.hex = hex
            self.value = value
        }

        var testDescription: String { hex }
    }

    /// Input in hexadecimal digits, with the reason for which it is refused.
    struct Refused: CustomTestStringConvertible, Sendable {
        let hex: String
        let error: StrictCBORError

        init(_ hex: String, _ error: StrictCBORError) {
            self.hex = hex
            self.error = error
        }

        var testDescription: String { "\(hex): \(error)" }
    }

    /// From RFC 8949, appendix A, but for the last two.
    static let accepted: [Accepted] = [
        Accepted("00", .unsigned(0)), Accepted("01", .unsigned(1)), Accepted("0a", .unsigned(10)),
        Accepted("17", .unsigned(23)), Accepted("1818", .unsigned(24)), Accepted("1819", .unsigned(25)),
        Accepted("1864", .unsigned(100)), Accepted("1903e8", .unsigned(1000)),
        Accepted("1a000f4240", .unsigned(1_000_000)),
        Accepted("1b000000e8d4a51000", .unsigned(1_000_000_000_000)),
        Accepted("1bffffffffffffffff", .unsigned(.max)), Accepted("3bffffffffffffffff", .negative(.max)),
        Accepted("20", .integer(-1)), Accepted("29", .integer(-10)), Accepted("3863", .integer(-100)),
        Accepted("3903e7", .integer(-1000)), Accepted("f4", .bool(false)), Accepted("f5", .bool(true)),
        Accepted("f6", .null), Accepted("40", .bytes([])), Accepted("4401020304", .bytes([1, 2, 3, 4])),
        Accepted("60", .text("")), Accepted("6161", .text("a")), Accepted("6449455446", .text("IETF")),
        Accepted("62225c", .text("\"\\")), Accepted("62c3bc", .text("\u{00FC}")),
        Accepted("63e6b0b4", .text("\u{6C34}")),
        Accepted("64f0908591", .text("\u{10151}")), Accepted("80", .array([])),
        Accepted("83010203", .array([.unsigned(1), .unsigned(2), .unsigned(3)])),
        Accepted(
            "8301820203820405",
            .array([
                .unsigned(1), .array([.unsigned(2), .unsigned(3)]), .array([.unsigned(4), .unsigned(5)]),
            ])),
        Accepted("a0", .map(CBORMap([]))),
        Accepted(
            "a201020304",
            .map(CBORMap([.init(.integer(1), .unsigned(2)), .init(.integer(3), .unsigned(4))]))),
        Accepted(
            "a26161016162820203",
            .map(
                CBORMap([
                    .init(.text("a"), .unsigned(1)), .init(.text("b"), .array([.unsigned(2), .unsigned(3)])),
                ]))),
        Accepted("826161a161626163", .array([.text("a"), .map(CBORMap([.init(.text("b"), .text("c"))]))])),
        // Negative names follow those that are not, texts follow numbers, and the shorter text is first.
        Accepted(
            "a40301206162616202626161f6",
            .map(
                CBORMap([
                    .init(.integer(3), .unsigned(1)), .init(.integer(-1), .text("b")),
                    .init(.text("b"), .unsigned(2)), .init(.text("aa"), .null),
                ]))),
        Accepted("818181f6", .array([.array([.array([.null])])])),
    ]

    @Test("Every item of the canonical form is read, and written as the same bytes", arguments: accepted)
    func accepts(item: Accepted) throws {
        let octets = try Hex.decode(item.hex)
        #expect(try CBORParser.parse(octets) == item.value)
        #expect(CBORWriter.write(item.value) == octets)
    }

    /// The indefinite lengths, tags, floating-point numbers and simple values are from RFC 8949, appendix A.
    static let refused: [Refused] = [
        Refused("", .unexpectedEnd(offset: 0)), Refused("18", .unexpectedEnd(offset: 1)),
        Refused("1903", .unexpectedEnd(offset: 1)), Refused("42ff", .unexpectedEnd(offset: 1)),
        Refused("6261", .unexpectedEnd(offset: 1)), Refused("8201", .unexpectedEnd(offset: 2)),
        Refused("a101", .unexpectedEnd(offset: 2)), Refused("a1", .unexpectedEnd(offset: 1)),
        Refused("5b7fffffffffffffff", .unexpectedEnd(offset: 9)),
        Refused("5bffffffffffffffff", .unexpectedEnd(offset: 0)),
        Refused("1817", .notShortest(offset: 0)), Refused("190017", .notShortest(offset: 0)),
        Refused("1900ff", .notShortest(offset: 0)), Refused("1a0000ffff", .notShortest(offset: 0)),
        Refused("1b00000000ffffffff", .notShortest(offset: 0)), Refused("3800", .notShortest(offset: 0)),
        Refused("580101", .notShortest(offset: 0)), Refused("7800", .notShortest(offset: 0)),
        Refused("9800", .notShortest(offset: 0)), Refused("b800", .notShortest(offset: 0)),
        Refused("5f42010243030405ff", .indefiniteLength(offset: 0)),
        Refused("7f657374726561646d696e67ff", .indefiniteLength(offset: 0)),
        Refused("9fff", .indefiniteLength(offset: 0)), Refused("bf61610161629f0203ffff", .indefiniteLength(offset: 0)),
        Refused("ff", .indefiniteLength(offset: 0)), Refused("81ff", .indefiniteLength(offset: 1)),
        Refused("1f", .unsupportedItem(offset: 0)), Refused("3f", .unsupportedItem(offset: 0)),
        Refused("1c", .unsupportedItem(offset: 0)), Refused("5d", .unsupportedItem(offset: 0)),
        Refused("c11a514b67b0", .unsupportedItem(offset: 0)), Refused("d818456449455446", .unsupportedItem(offset: 0)),
        Refused("f93c00", .unsupportedItem(offset: 0)), Refused("fa47c35000", .unsupportedItem(offset: 0)),
        Refused("fb3ff199999999999a", .unsupportedItem(offset: 0)), Refused("f7", .unsupportedItem(offset: 0)),
        Refused("f0", .unsupportedItem(offset: 0)), Refused("f8ff", .unsupportedItem(offset: 0)),
        Refused("f818", .unsupportedItem(offset: 0)), Refused("f8f4", .unsupportedItem(offset: 0)),
        Refused("61ff", .invalidUTF8(offset: 0)), Refused("62c080", .invalidUTF8(offset: 0)),
        Refused("63eda080", .invalidUTF8(offset: 0)), Refused("64f4908080", .invalidUTF8(offset: 0)),
        Refused("8161c3", .invalidUTF8(offset: 1)),
        Refused("a1400000", .unsupportedKey(offset: 1)), Refused("a18000", .unsupportedKey(offset: 1)),
        Refused("a1f400", .unsupportedKey(offset: 1)), Refused("a11bffffffffffffffff00", .unsupportedKey(offset: 1)),
        Refused("a201000100", .duplicateKey(offset: 3)), Refused("a2616100616100", .duplicateKey(offset: 4)),
        Refused("a203000100", .wrongOrder(offset: 3)), Refused("a2616200616100", .wrongOrder(offset: 4)),
        Refused("a262616100616200", .wrongOrder(offset: 5)), Refused("a220000100", .wrongOrder(offset: 3)),
        Refused("a26161000100", .wrongOrder(offset: 4)),
        Refused("0000", .trailingContent(offset: 1)), Refused("f6f6", .trailingContent(offset: 1)),
        Refused("8000", .trailingContent(offset: 1)),
        Refused("8181818180", .tooDeep(offset: 4, limit: 4)),
        Refused("9841", .tooManyElements(offset: 0, limit: 64)),
        Refused("9bffffffffffffffff", .tooManyElements(offset: 0, limit: 64)),
        Refused("bbffffffffffffffff", .tooManyElements(offset: 0, limit: 64)),
    ]

    @Test("Every other form is refused, with its reason and place", arguments: refused)
    func refuses(item: Refused) throws {
        let octets = try Hex.decode(item.hex)
        #expect(throws: item.error) { try CBORParser.parse(octets) }
        #expect(item.error.offset != nil)
    }

    @Test("An input beyond the limit of its size is refused, one at the limit is read")
    func size() throws {
        let limits = CBORLimits(byteCount: 3, depth: 1, elementCount: 1)
        #expect(try CBORParser.parse([0x42, 1, 2], limits: limits) == .bytes([1, 2]))
        #expect(throws: StrictCBORError.tooLarge(byteCount: 4, limit: 3)) {
            try CBORParser.parse([0x43, 1, 2, 3], limits: limits)
        }
        #expect(StrictCBORError.tooLarge(byteCount: 4, limit: 3).offset == nil)
    }

    @Test("Containers at their limits are read: four levels, sixty-four elements")
    func limits() throws {
        #expect(throws: Never.self) { try CBORParser.parse([0x81, 0x81, 0x81, 0x80]) }
        #expect(throws: Never.self) { try CBORParser.parse([0x98, 64] + [UInt8](repeating: 0, count: 64)) }
    }

    @Test("An item in front of other bytes is read with what follows it, in a part of an array as well")
    func prefix() throws {
        let octets: [UInt8] = [0xFF, 0xA1, 0x01, 0x02, 0xFF]
        let (value, rest) = try CBORParser.parsePrefix(of: octets.dropFirst())
        #expect(value == .map(CBORMap([.init(.integer(1), .unsigned(2))])))
        #expect(Array(rest) == [0xFF])
    }

    @Test("Members are found by their names, byte by byte")
    func members() {
        let map = CBORMap([
            .init(.text("\u{00FC}"), .unsigned(1)), .init(.integer(-2), .text("x")), .init(.integer(5), .bytes([7])),
        ])
        #expect(map["\u{00FC}"]?.integer == 1)
        // The same letter in another spelling is another name.
        #expect(map["u\u{0308}"] == nil)
        #expect(map[number: -2]?.text == "x")
        #expect(map[number: 5]?.octets == [7])
        #expect(map[number: 2] == nil)
    }

    @Test("The writer puts members in order")
    func order() throws {
        let map = CBORMap([.init(.text("aa"), .null), .init(.integer(-1), .null), .init(.integer(3), .null)])
        #expect(CBORWriter.write(.map(map)) == [0xA3, 0x03, 0xF6, 0x20, 0xF6, 0x62, 0x61, 0x61, 0xF6])
    }

    @Test("The kinds do not pass for one another, and numbers beyond 63 bits are no integers")
    func kinds() {
        let values: [CBORValue] = [
            .unsigned(1), .bytes([]), .text(""), .array([]), .map(CBORMap([])), .bool(true), .null,
        ]
        #expect(values.compactMap(\.integer).count == 1)
        #expect(values.compactMap(\.octets).count == 1)
        #expect(values.compactMap(\.text).count == 1)
        #expect(values.compactMap(\.elements).count == 1)
        #expect(values.compactMap(\.map).count == 1)
        #expect(CBORValue.unsigned(1 << 63).integer == nil)
        #expect(CBORValue.negative(UInt64(Int64.max)).integer == Int64.min)
        #expect(CBORValue.negative(1 << 63).integer == nil)
    }

    @Test("Every cut and every change of one bit of a statement ends in a value or a refusal")
    func hostile() throws {
        let value = CBORValue.map(
            CBORMap([
                .init(.text("fmt"), .text("apple-appattest")),
                .init(
                    .text("attStmt"), .map(CBORMap([.init(.text("x5c"), .array([.bytes([1, 2, 3]), .bytes([])]))]))),
                .init(.text("authData"), .bytes([UInt8](repeating: 9, count: 300))),
            ]))
        let octets = CBORWriter.write(value)
        var accepted = 0
        for position in octets.indices {
            #expect(throws: StrictCBORError.self) { try CBORParser.parse(octets[..<position]) }
            for bit in 0..<8 {
                var changed = octets
                changed[position] ^= 1 << bit
                guard let read = try? CBORParser.parse(changed) else { continue }
                accepted += 1
                #expect(CBORWriter.write(read) == changed)
            }
        }
        #expect(accepted > 0)
    }
}
