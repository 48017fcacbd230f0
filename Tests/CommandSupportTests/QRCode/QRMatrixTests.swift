import QRCode
import Testing

@Suite("2.4: QR codes")
struct QRMatrixTests {
    @Test("The smallest code has 21 modules on each side, the largest 177")
    func sizes() throws {
        #expect(try QRMatrix(encoding: "a").size == 21)
        let longest = String(repeating: "a", count: QRMatrix.maximumByteCount)
        #expect(try QRMatrix(encoding: longest).size == 177)
    }

    @Test("A text longer than the largest code is refused, with both sizes")
    func tooLong() {
        let text = String(repeating: "a", count: 2_954)
        #expect(throws: QRCodeError.textTooLong(byteCount: 2_954, limit: 2_953)) { try QRMatrix(encoding: text) }
        let wide = String(repeating: "é", count: 1_477)
        #expect(throws: QRCodeError.textTooLong(byteCount: 2_954, limit: 2_953)) { try QRMatrix(encoding: wide) }
    }

    @Test("There is no code of nothing")
    func empty() {
        #expect(throws: QRCodeError.emptyText) { try QRMatrix(encoding: "") }
    }

    @Test("The three finder patterns stand in their corners, all around is light")
    func finders() throws {
        let matrix = try QRMatrix(encoding: "https://link.example/open")
        let last = matrix.size - 1
        for (column, row) in [(0, 0), (last, 0), (0, last)] { #expect(matrix.isDark(column: column, row: row)) }
        #expect(!matrix.isDark(column: last - 7, row: 0))
        for (column, row) in [(-1, 0), (0, -1), (matrix.size, 0), (0, matrix.size), (.max, .max), (.min, .min)] {
            #expect(!matrix.isDark(column: column, row: row))
        }
    }

    @Test("The same text gives the same code, another text another one")
    func determinism() throws {
        #expect(try QRMatrix(encoding: "one") == QRMatrix(encoding: "one"))
        #expect(try QRMatrix(encoding: "one") != QRMatrix(encoding: "two"))
    }

    @Test("On a terminal the code is as high as it is wide, and either ground shows the other's negative")
    func terminal() throws {
        let matrix = try QRMatrix(encoding: "a")
        let lines = matrix.text().split(separator: "\n")
        #expect(lines.count == 15)
        #expect(lines.allSatisfy { $0.count == 29 })
        // The quiet zone is light: drawn on a dark ground, left out on a light one.
        #expect(lines[0].allSatisfy { $0 == "█" })
        let opposite: [Character: Character] = ["█": " ", " ": "█", "▀": "▄", "▄": "▀", "\n": "\n"]
        #expect(String(matrix.text(on: .light).compactMap { opposite[$0] }) == matrix.text(on: .dark))
    }
}
