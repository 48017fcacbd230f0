import Octets
import StrictJSON
import TestSupport
import Testing

@Suite("base64url (RFC 4648, section 5; RFC 7515, section 2)")
struct Base64URLTests {
    @Test(
        "The strict decoder gives the bytes of every good vector and refuses every bad one",
        .enabled(if: VectorFolder.isPresent, VectorFolder.absence))
    func vectors() throws {
        let file = try JSONParser.parse(VectorFolder.bytes(of: "base64url/cases.json"), limits: .document).asObject()
        guard case .array(let good) = file["accept"], case .array(let bad) = file["reject"] else {
            Issue.record("the file has no cases")
            return
        }
        #expect(!good.isEmpty && !bad.isEmpty)
        for value in good {
            let members = try value.asObject()
            let text = try members.string("text")
            let bytes = try Base64URL.decode(text)
            #expect(try bytes == Hex.decode(members.string("hex")), "\(text)")
            #expect(Base64URL.encode(bytes) == text)
        }
        for value in bad {
            let text = try value.asObject().string("text")
            #expect(throws: Base64Error.self, "\(text)") { try Base64URL.decode(text) }
        }
    }

    @Test("Every byte string survives encoding and decoding")
    func roundTrip() throws {
        for count in 0...66 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ count) }
            #expect(try Base64URL.decode(Base64URL.encode(bytes)) == bytes)
        }
    }

    @Test(
        "The lenient decoder takes padding, the standard alphabet and white space",
        arguments: ["-_8", "+/8=", "-_8=", " +/\r\n8 ", "\t-_8"])
    func lenient(text: String) throws {
        #expect(try Base64URL.decode(text, strictness: .lenient) == [0xFB, 0xFF])
    }

    @Test("The lenient decoder still refuses foreign characters and loose bits", arguments: ["A", "*A", "AB", "ä"])
    func lenientRefusals(text: String) {
        #expect(throws: Base64Error.self) { try Base64URL.decode(text, strictness: .lenient) }
    }

    @Test("The error names the first foreign character", arguments: [("AAA*", 3), ("AAAAA=AA", 5), ("AA=", 2)])
    func position(text: String, offset: Int) {
        #expect(throws: Base64Error.foreignCharacter(offset: offset)) { try Base64URL.decode(text) }
    }
}
