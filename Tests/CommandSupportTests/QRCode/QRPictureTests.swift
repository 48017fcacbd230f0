import QRCode
import TestSupport
import Testing

@Suite("2.4: Pictures of QR codes")
struct QRPictureTests {
    /// Letters as base64url has them, another order for each length.
    static func text(byteCount: Int) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        return String(decoding: (0..<byteCount).map { letters[($0 * $0 + 7 * byteCount) % 61] }, as: UTF8.self)
    }

    @Test(
        "An independent reader reads what we wrote, from one byte to the largest code",
        .enabled(if: ForeignQRReader.isInstalled, "\(ForeignQRReader.absence)"))
    func readBack() throws {
        let lengths = Array(1...24) + Array(stride(from: 25, to: QRMatrix.maximumByteCount, by: 211)) + [2_330, 2_331]
        let texts = lengths.map(Self.text)
        let pictures = try texts.map { try QRMatrix(encoding: $0).png() }
        #expect(try ForeignQRReader().texts(inPNGs: pictures) == texts)
    }

    @Test(
        "It reads every scale, and text beyond ASCII",
        .enabled(if: ForeignQRReader.isInstalled, "\(ForeignQRReader.absence)"))
    func scales() throws {
        let text = "Überweisung 100 € an 日本 \u{1F98A}"
        let pictures = try [2, 3, 5, 8, 16].map { try QRMatrix(encoding: text).png(scale: $0) }
        #expect(try ForeignQRReader().texts(inPNGs: pictures) == pictures.map { _ in text })
    }

    @Test("A picture has one bit for each pixel, and the width of the code with its margin")
    func header() throws {
        let matrix = try QRMatrix(encoding: "a")
        let file = try matrix.png(scale: 4)
        #expect(file.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
        #expect(file[16..<24].elementsEqual([0, 0, 0, 116, 0, 0, 0, 116]))
        #expect(file[24] == 1)
        #expect(file.count < 1_024)
        let largest = try QRMatrix(encoding: Self.text(byteCount: QRMatrix.maximumByteCount)).png()
        #expect(largest.count < 32_768)
    }

    @Test("A scale that makes no sense is refused", arguments: [Int.min, -1, 0, 17, .max])
    func unusableScale(_ scale: Int) throws {
        let matrix = try QRMatrix(encoding: "a")
        #expect(throws: QRCodeError.unusableScale) { try matrix.png(scale: scale) }
    }
}
