import Octets
import StrictJSON
import TestSupport
import Testing

@Suite("Writing of JSON")
struct JSONWriterTests {
    @Test("Texts are compact and keep the order of their members")
    func compact() {
        let value = JSONValue.object([
            "b": .array([.integer(1), .null, .bool(true)]), "left out": nil, "a": .string("/é"),
        ])
        #expect(JSONWriter.text(value) == #"{"b":[1,null,true],"a":"/é"}"#)
    }

    @Test("Control characters are escaped, markup only when asked")
    func escapes() {
        let value = JSONValue.string("\u{0}\u{1F}\"\\\n\r\t<>&\u{2028}\u{2029}")
        #expect(JSONWriter.text(value) == "\"\\u0000\\u001f\\\"\\\\\\n\\r\\t<>&\u{2028}\u{2029}\"")
        #expect(
            JSONWriter.text(value, escapesMarkup: true)
                == #""\u0000\u001f\"\\\n\r\t\u003c\u003e\u0026\u2028\u2029""#)
    }

    @Test(
        "Every name, text and naughty string comes back byte for byte, with and without escaped markup",
        .enabled(if: VectorFolder.isPresent, VectorFolder.absence))
    func strings() throws {
        let texts = try Self.strings(of: "names-and-texts.json") + Self.strings(of: "naughty.json")
        #expect(!texts.isEmpty)
        for text in texts {
            for escapesMarkup in [false, true] {
                let value = JSONValue.object(["value": .string(text)])
                let read = try JSONParser.parse(JSONWriter.write(value, escapesMarkup: escapesMarkup)).asObject()
                #expect(try read.string("value").hasSameOctets(as: text))
            }
        }
    }

    private static func strings(of file: String) throws -> [String] {
        let document = try JSONParser.parse(VectorFolder.bytes(of: "strings/\(file)"), limits: .document).asObject()
        guard case .array(let values) = document["strings"] else { return [] }
        return try values.map { value in
            let encoded = try value.kind == .string ? value.asString() : value.asObject().string("utf8_b64")
            return String(decoding: try Base64.decode(encoded), as: UTF8.self)
        }
    }
}
