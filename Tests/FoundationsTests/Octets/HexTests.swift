import Octets
import Testing

@Suite("Hexadecimal text")
struct HexTests {
    @Test("Every byte is written with two lower case digits and read in either case")
    func allBytes() throws {
        let bytes = [UInt8](0...255)
        let text = Hex.encode(bytes)
        #expect(text.hasPrefix("000102") && text.hasSuffix("fdfeff"))
        #expect(try Hex.decode(text) == bytes)
        #expect(try Hex.decode(text.uppercased()) == bytes)
    }

    @Test("An odd number of digits is refused")
    func oddLength() {
        #expect(throws: Hex.DecodingError.oddLength(3)) { try Hex.decode("abc") }
    }

    @Test("Anything but digits is refused where it stands", arguments: [("0g", 1), ("g0", 0), ("00 0", 2), ("00é", 2)])
    func foreign(text: String, offset: Int) {
        #expect(throws: Hex.DecodingError.foreignCharacter(offset: offset)) { try Hex.decode(text) }
    }
}
