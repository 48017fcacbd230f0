import OpenID
import Testing

@Suite("Forms are read strictly, and what is written is read back")
struct FormPairsTests {
    @Test("Names and values are decoded in their order")
    func decoding() throws {
        let pairs = try #require(FormPairs.read(Array("a=1&b=x+y%20z&c&d=%C3%A4%3D&e==".utf8)))
        #expect(pairs.map(\.name) == ["a", "b", "c", "d", "e"])
        #expect(pairs.map(\.value) == ["1", "x y z", "", "ä=", "="])
        #expect(FormPairs.read([])?.isEmpty == true)
    }

    @Test(
        "Pairs that are empty or have no name are ignored (WHATWG URL, 5.1)",
        arguments: ["a=1&&b=2", "&a=1&b=2&", "a=1&=3&b=2&=", "a=1&b=2&&&"])
    func emptyPairs(text: String) throws {
        let pairs = try #require(FormPairs.read(Array(text.utf8)))
        #expect(pairs.map(\.name) == ["a", "b"] && pairs.map(\.value) == ["1", "2"])
        #expect(FormPairs.read(Array("&".utf8))?.isEmpty == true)
    }

    @Test(
        "Malformed escapes, NUL and what is not UTF-8 are refused, also in a pair without a name",
        arguments: ["a=%", "a=%4", "a=%zz", "a=%00", "a=%FF", "a=\u{0}", "a=ä", "a b=1", "=%", "%zz=1"])
    func refusals(text: String) {
        #expect(FormPairs.read(Array(text.utf8)) == nil)
    }

    @Test("Whatever is encoded is decoded to the same")
    func roundTrip() throws {
        let text = "https://a.example/?x=1&y=%41+ä\r\n\"<>~"
        let encoded = FormPairs.encode([(name: "v&", value: text)])
        #expect(encoded.utf8.allSatisfy { (0x21...0x7E).contains($0) })
        let pair = try #require(FormPairs.read(Array(encoded.utf8))?.first)
        #expect(pair.name == "v&")
        #expect(pair.value == text)
    }
}
