import Octets
import Testing

@Suite("Comparison of texts by their bytes")
struct ExactTextTests {
    @Test("Canonically equivalent texts are different")
    func equivalence() {
        #expect("Zo\u{00EB}" == "Zoe\u{0308}")
        #expect(!"Zo\u{00EB}".hasSameOctets(as: "Zoe\u{0308}"))
        #expect(!"K".hasSameOctets(as: "\u{212A}"))
    }

    @Test("The same bytes are the same text")
    func same() {
        #expect("".hasSameOctets(as: ""))
        #expect("a\u{0000}b".hasSameOctets(as: "a\u{0000}b"))
        #expect(!"a".hasSameOctets(as: "a\u{0000}"))
        #expect(!"a".hasSameOctets(as: "b"))
    }
}

@Suite("RFC 3629, 3 and 4: text is made of well-formed UTF-8 and of nothing else")
struct WellFormedTextTests {
    @Test("Well-formed bytes become their text", arguments: ["", "a", "a\u{0}b", "Zoë", "\u{FFFD}", "\u{FEFF}x", "🔑"])
    func wellFormed(text: String) {
        #expect(String(validUTF8: Array(text.utf8))?.hasSameOctets(as: text) == true)
        #expect(String(comparing: Array(text.utf8)[...])?.hasSameOctets(as: text) == true)
    }

    @Test(
        "Malformed bytes become nothing: lone and missing continuations, overlong forms, surrogates, what is too large",
        arguments: [
            [0x80], [0x61, 0xC3], [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF0, 0x9F, 0x98],
            [0xF4, 0x90, 0x80, 0x80], [0xFF], [0xEF, 0xBF, 0xBD, 0xFE],
        ] as [[UInt8]])
    func malformed(octets: [UInt8]) {
        #expect(String(validUTF8: octets) == nil)
        #expect(String(comparing: octets) == nil)
    }
}
