import Octets
import StrictJSON
import TestSupport
import Testing

@Suite("Strict reading of JSON (RFC 8259)")
struct JSONParserTests {
    private static let narrow = JSONLimits(byteCount: 64, depth: 3, elementCount: 4, nameByteCount: 5)

    private func refusal(_ text: String, _ limits: JSONLimits = .message) -> StrictJSONError? {
        do throws(StrictJSONError) {
            _ = try JSONParser.parse(text, limits: limits)
            return nil
        } catch {
            return error
        }
    }

    @Test("Every kind of value is read")
    func kinds() throws {
        let text = #" {"a":[1,-2.5e+3,"x",true,false,null,{},[]] , "b":"\u00e9\ud83d\ude00\"\\\/\b\f\n\r\t"} "#
        let members = try JSONParser.parse(text).asObject()
        guard case .array(let values) = members["a"] else {
            Issue.record("a is no array")
            return
        }
        #expect(values.map(\.kind) == [.number, .number, .string, .boolean, .boolean, .null, .object, .array])
        #expect(try members.string("b").hasSameOctets(as: "é😀\"\\/\u{8}\u{C}\n\r\t"))
    }

    @Test("Each limit holds exactly")
    func limits() {
        #expect(refusal("[[[]]]", Self.narrow) == nil)
        #expect(refusal("[[[[]]]]", Self.narrow) == .tooDeep(offset: 3, limit: 3))
        #expect(refusal("[1,2,3,4]", Self.narrow) == nil)
        #expect(refusal("[1,2,3,4,5]", Self.narrow) == .tooManyElements(offset: 10, limit: 4))
        #expect(refusal(#"{"a":1,"b":2,"c":3,"d":4}"#, Self.narrow) == nil)
        #expect(refusal(#"{"a":1,"b":2,"c":3,"d":4,"e":5}"#, Self.narrow) == .tooManyElements(offset: 30, limit: 4))
        #expect(refusal(#"{"abcde":1}"#, Self.narrow) == nil)
        #expect(refusal(#"{"abcdef":1}"#, Self.narrow) == .nameTooLong(offset: 1, limit: 5))
        #expect(refusal(#""\#(String(repeating: "x", count: 62))""#, Self.narrow) == nil)
        #expect(
            refusal(#""\#(String(repeating: "x", count: 63))""#, Self.narrow) == .tooLarge(byteCount: 65, limit: 64))
    }

    @Test("A repeated member name is refused, also when it is spelled with escapes, in small and large objects")
    func duplicates() {
        #expect(refusal(#"{"op":1,"op":2}"#) == .duplicateMember(offset: 8))
        #expect(refusal(#"{"op":1,"\u006fp":2}"#) == .duplicateMember(offset: 8))
        #expect(refusal(#"{"a":{"x":1},"b":{"x":1}}"#) == nil)
        let many = (0..<100).map { #""n\#($0)":0"# }.joined(separator: ",")
        #expect(refusal("{\(many)}") == nil)
        for repeated in ["n0", "n15", "n16", "n17", "n99"] {
            #expect(refusal(#"{\#(many),"\#(repeated)":0}"#) != nil, "\(repeated)")
        }
    }

    @Test("Names that are only canonically equivalent are not repeated")
    func equivalentNames() throws {
        let members = try JSONParser.parse(#"{"\u00e9":1,"e\u0301":2}"#).asObject()
        #expect(members.members.count == 2)
        #expect(try members.integer("\u{00E9}", as: Int.self) == 1)
        #expect(try members.integer("e\u{0301}", as: Int.self) == 2)
    }

    @Test("A text of escapes of every kind is what they stand for, wherever they are, and never longer than they are")
    func escapes() throws {
        let pieces = [
            (#"\u0041"#, "A"), (#"\u0000"#, "\0"), (#"\u00e9"#, "\u{E9}"), (#"\uffff"#, "\u{FFFF}"),
            (#"\ud83d\ude00"#, "\u{1F600}"), (#"\""#, "\""), (#"\\"#, "\\"), (#"\/"#, "/"), (#"\b"#, "\u{8}"),
            (#"\f"#, "\u{C}"), (#"\n"#, "\n"), (#"\r"#, "\r"), (#"\t"#, "\t"), ("", ""), ("x", "x"),
            ("\u{1F600}", "\u{1F600}"),
            ("plain text of some length", "plain text of some length"),
        ]
        for first in pieces {
            for second in pieces {
                let (written, meant) = (first.0 + second.0 + first.0, first.1 + second.1 + first.1)
                #expect(try JSONParser.parse("\"\(written)\"").asString().hasSameOctets(as: meant), "\(written)")
                #expect(meant.utf8.count <= written.utf8.count)
            }
        }
    }

    @Test(
        "A character that an escape cuts in two is refused, as is one that the end cuts off",
        arguments: [[0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98], [0xA9], [0xFF]] as [[UInt8]])
    func brokenCharacters(octets: [UInt8]) {
        let escape = Array(#"\u00e9"#.utf8)
        for text in [escape + octets, octets + escape, octets + escape + octets, escape + octets + escape] {
            #expect(throws: StrictJSONError.invalidUTF8(offset: 1)) { try JSONParser.parse([0x22] + text + [0x22]) }
        }
    }

    @Test(
        "Half a surrogate pair is refused", arguments: [#""\ud800""#, #""\udc00""#, #""\ud800\u0041""#, #""\ud800x""#])
    func surrogates(text: String) {
        #expect(refusal(text) == .loneSurrogate(offset: 1))
    }

    @Test("A byte order mark is refused")
    func byteOrderMark() {
        #expect(throws: StrictJSONError.byteOrderMark) { try JSONParser.parse([0xEF, 0xBB, 0xBF, 0x7B, 0x7D]) }
        #expect(throws: StrictJSONError.self) { try JSONParser.parse([0xFE, 0xFF, 0x00, 0x7B]) }
    }

    @Test("A string ends, or is refused, at the right byte wherever it stands", arguments: 0...25)
    func everyLength(count: Int) throws {
        let plain = String(repeating: "~", count: count)
        #expect(try JSONParser.parse(#"["\#(plain)"]"#) == .array([.string(plain)]))
        #expect(try JSONParser.parse(#"["\#(plain)é!"]"#) == .array([.string(plain + "é!")]))
        #expect(try JSONParser.parse(#"["\#(plain)\n!#]["]"#) == .array([.string(plain + "\n!#][")]))
        #expect(refusal(#"["\#(plain)"#) == .unexpectedEnd(offset: count + 2))
        for control in 0..<0x20 as Range<UInt8> {
            let text = Array(#"["\#(plain)"#.utf8) + [control] + Array(#"!!!!!!!!!"]"#.utf8)
            #expect(throws: StrictJSONError.controlCharacter(offset: count + 2)) { try JSONParser.parse(text) }
        }
        for octet in [0x80, 0xFF] as [UInt8] {
            let text = Array(#"["\#(plain)"#.utf8) + [octet] + Array(#"!!!!!!!!!"]"#.utf8)
            #expect(throws: StrictJSONError.invalidUTF8(offset: 2)) { try JSONParser.parse(text) }
        }
    }

    @Test("Only digits of ASCII count", arguments: [#""\u00６1""#, #""\u00g1""#, "[１]", "[1١]"])
    func foreignDigits(text: String) {
        #expect(refusal(text) != nil)
    }

    @Test("An integer is what is written as one", arguments: ["1.0", "1e0", "-0", "9223372036854775808", "1E400"])
    func integers(number: String) throws {
        #expect(throws: JSONTypeError.self) { try JSONParser.parse(number).asInteger(Int64.self) }
        #expect(try JSONParser.parse("-9223372036854775808").asInteger(Int64.self) == .min)
        #expect(throws: JSONTypeError(.outOfRange)) { try JSONParser.parse("256").asInteger(UInt8.self) }
        #expect(throws: JSONTypeError(.outOfRange)) { try JSONParser.parse("-1").asInteger(UInt16.self) }
    }

    @Test("100,000 brackets are refused without using the stack, and read when the limit allows them")
    func deepNesting() throws {
        let count = 100_000
        #expect(refusal(String(repeating: "[", count: count)) == .tooDeep(offset: 16, limit: 16))
        let limits = JSONLimits(byteCount: 1024 * 1024, depth: count)
        #expect(refusal(String(repeating: "[", count: count), limits) == .unexpectedEnd(offset: count))
        #expect(refusal(String(repeating: #"{"a":"#, count: 16)) == .unexpectedEnd(offset: 80))
    }

    @Test("The work grows with the length of the text, not with its square")
    func linearNames() throws {
        // 50,000 names of equal length in one object: a search through all earlier names would take minutes.
        let limits = JSONLimits(byteCount: 4 * 1024 * 1024, depth: 2, elementCount: 65_536)
        let names = (0..<50_000).map { #""n\#(100_000 + $0)":0"# }.joined(separator: ",")
        #expect(try JSONParser.parse("{\(names)}", limits: limits).asObject().members.count == 50_000)
    }

    @Test("A text cut off or spoiled at any byte is an error or a value, never a trap")
    func everyTruncation() {
        let text = Array(#" {"a":[1,-2.5e+3,"x\u00e9\ud83d\ude00é",true,false,null,{}],"b":"\n"} "#.utf8)
        for end in 0..<(text.count - 1) {
            #expect(throws: StrictJSONError.self) { try JSONParser.parse(Array(text[..<end])) }
        }
        for position in text.indices {
            for byte in [0x00, 0x22, 0x2C, 0x5C, 0x5D, 0x7D, 0x80, 0xC3, 0xFF] as [UInt8] {
                var spoiled = text
                spoiled[position] = byte
                _ = try? JSONParser.parse(spoiled)
            }
        }
    }

    @Test(
        "Two values, or one with anything behind it, are refused", arguments: ["{}{}", "1 2", "[],", "{} x", "nullx"])
    func trailing(text: String) {
        #expect(refusal(text) != nil)
    }
}
