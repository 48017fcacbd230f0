import Octets
import StrictJSON
import TestSupport
import Testing

@testable import Authenticators

@Suite("A password is any text of 1 to 1,024 bytes, in one Unicode form")
struct PasswordTests {
    @Test(
        "Texts are taken as they are",
        arguments: [
            "a", " ", "correct horse battery staple", String(repeating: "x", count: 64),
            String(repeating: "x", count: 65), String(repeating: "é", count: 512), String(repeating: "x", count: 1_024),
            "👩‍👩‍👧‍👦🇨🇭", "密码🔑", "ﬁ", "١٢٣٤", "\u{200B}", "a\u{2028}b",
        ])
    func texts(text: String) throws {
        #expect(try octets(text) == Array(text.utf8))
    }

    @Test(
        "The empty text, texts that are too long, control characters and broken UTF-8 are refused",
        arguments: [
            [], Array("tab\t".utf8), Array("line\n".utf8), [0x61, 0x00, 0x62], [0x7F], [0xC2, 0x80], [0xC2, 0x9F],
            Array("é\u{1B}".utf8), [0xFF], [0xC3], [0xED, 0xA0, 0x80], [UInt8](repeating: 0x61, count: 1_025),
            Array(String(repeating: "é", count: 513).utf8), Array(String(repeating: "e\u{301}", count: 513).utf8),
            [UInt8](repeating: 0x61, count: 100_000), Array(String(repeating: "é", count: 50_000).utf8),
        ] as [[UInt8]])
    func refused(octets: [UInt8]) {
        if UserSecret(password: octets) != nil { Issue.record("taken") }
    }

    @Test("Composed and decomposed forms are the same password; nothing else is")
    func normalization() throws {
        for (typed, composed) in [
            ("e\u{301}", "\u{E9}"), ("Zoe\u{308}", "Zo\u{EB}"), ("\u{212B}", "\u{C5}"), ("a\u{301}\u{323}", "ạ\u{301}"),
            ("\u{1112}\u{1161}\u{11AB}", "한"),
            (String(repeating: "e\u{301}", count: 512), String(repeating: "é", count: 512)),
        ] {
            #expect(try octets(typed) == Array(composed.utf8))
            #expect(try octets(composed) == Array(composed.utf8))
        }
        for (one, other) in [
            ("Password", "password"), ("password", "password "), ("ﬁ", "fi"), ("１２３４", "1234"), ("\u{430}", "a"),
            ("ß", "ss"), ("é", "e"),
        ] {
            #expect(try octets(one) != octets(other))
        }
    }

    @Test(
        "Every text of the vectors is taken in its composed form, or refused for a control character",
        .enabled(if: VectorFolder.isPresent, VectorFolder.absence))
    func vectors() throws {
        let file = try JSONParser.parse(VectorFolder.bytes(of: "strings/names-and-texts.json")).asObject()
        let texts = try file.required("strings") { list throws(JSONTypeError) in
            try list.asNonEmptyArray { item throws(JSONTypeError) in try item.asObject() }
        }
        for text in texts {
            #expect(Set(text.members.map(\.name)) == ["id", "utf8_b64"])
            let id = try text.string("id")
            let given = try Base64.decode(text.string("utf8_b64"))
            let hasControls = String(decoding: given, as: UTF8.self).unicodeScalars.contains {
                $0.value < 0x20 || (0x7F...0x9F).contains($0.value)
            }
            guard let password = UserSecret(password: given) else {
                #expect(hasControls, "\(id)")
                continue
            }
            let taken = password.withUnsafeBytes { Array($0) }
            #expect(!hasControls)
            // Swift compares texts by canonical equivalence.
            #expect(String(decoding: taken, as: UTF8.self) == String(decoding: given, as: UTF8.self))
            #expect(try octets(String(decoding: taken, as: UTF8.self)) == taken)
        }
    }

    @Test("Bytes are counted after composition")
    func counts() throws {
        #expect(try octets("Zoe\u{308}👩‍👩‍👧‍👦").count == 4 + 25)
    }

    private func octets(_ text: String) throws -> [UInt8] {
        try UserSecret.password(text).withUnsafeBytes { Array($0) }
    }
}
