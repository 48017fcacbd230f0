import Octets
import Testing

@Suite("base64 with padding (RFC 4648, sections 4 and 10)")
struct Base64Tests {
    static let vectors = [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ]

    @Test("The vectors of the RFC hold in both directions", arguments: vectors)
    func vector(plain: String, encoded: String) throws {
        #expect(Base64.encode(Array(plain.utf8)) == encoded)
        #expect(try Base64.decode(encoded) == Array(plain.utf8))
    }

    @Test(
        "Missing, surplus or misplaced padding, blanks and the other alphabet are refused",
        arguments: ["Zg", "Zg=", "Zg===", "=Zg=", "Z===", "====", "Zm9v=", "Zm9 ", "-_8=", "Zh==", "Zm9="])
    func refused(text: String) {
        #expect(throws: Base64Error.self) { try Base64.decode(text) }
    }
}
