import PhonePage
import QRCode
import TestSupport
import Testing

@Suite("2.6.2: Reading QR codes")
struct QRReaderTests {
    @Test(
        "What the server draws, the phone reads, from one byte to the largest code",
        arguments: [1, 2, 300, 1_000, 2_953])
    func readBack(_ byteCount: Int) throws {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        let text = String(decoding: (0..<byteCount).map { letters[($0 * $0) % 61] }, as: UTF8.self)
        #expect(try QRReader.text(inPNG: QRMatrix(encoding: text).png()) == text)
    }

    @Test("Text beyond ASCII comes back as it was")
    func alphabets() throws {
        for text in ["é", "Zürich 100 €", "日本語", "\u{1F98A}", "e\u{301}", "a\u{0}b"] {
            let read = try QRReader.text(inPNG: QRMatrix(encoding: text).png())
            #expect(Array(read.utf8) == Array(text.utf8))
        }
    }

    @Test("A picture without a code, and one with two different codes, are refused")
    func codeCount() throws {
        let blank = try Picture(gray: 64, 64) { _, _ in 0xFF }.png()
        #expect(throws: QRReaderError.noCode) { try QRReader.text(inPNG: blank) }
        let two = try Picture(sideBySide: ["https://good.example", "https://evil.example"]).png()
        #expect(throws: QRReaderError.severalCodes) { try QRReader.text(inPNG: two) }
        let same = try Picture(sideBySide: ["https://good.example", "https://good.example"]).png()
        #expect(try QRReader.text(inPNG: same) == "https://good.example")
    }

    @Test("A code of light modules on dark ground is read, with its margin and without", arguments: [0, 4])
    func inverted(margin: Int) throws {
        for text in ["https://good.example", String(repeating: "signet://open?x=", count: 20)] {
            let picture = Picture(try QRMatrix(encoding: text))
            let inverted = Picture(gray: picture.width, picture.height) {
                0xFF - picture.pixels[$1 * picture.width + $0]
            }
            let ground = Picture(gray: picture.width + 2 * margin, picture.height + 2 * margin) { x, y in
                let (column, row) = (x - margin, y - margin)
                guard (0..<picture.width).contains(column), (0..<picture.height).contains(row) else { return 0xFF }
                return inverted.pixels[row * picture.width + column]
            }
            #expect(try QRReader.text(inPNG: ground.png()) == text)
        }
    }

    @Test("A code with a spot on it is still read, one that is half covered is not")
    func damage() throws {
        let matrix = try QRMatrix(encoding: "https://link.example/open?dispatchTokenResponse=eyJubWFfZGF0YSI6e")
        func covered(_ side: Int) throws -> [UInt8] {
            let spot = (matrix.size / 2)..<(matrix.size / 2 + side)
            return try Picture(matrix) { spot.contains($0) && spot.contains($1) }.png()
        }
        #expect(try QRReader.text(inPNG: covered(3)).hasSuffix("eyJubWFfZGF0YSI6e"))
        #expect(throws: QRReaderError.self) { try QRReader.text(inPNG: covered(matrix.size)) }
    }

    @Test("Bytes that are no UTF-8 are refused")
    func noText() throws {
        // The code of "\u{FF}" as Latin-1 comes from outside: our own encoder takes texts only.
        let file = try Picture(latin1: [0xFF, 0xFE, 0x80]).png()
        #expect(throws: QRReaderError.noText) { try QRReader.text(inPNG: file) }
    }
}
