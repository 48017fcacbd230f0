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
