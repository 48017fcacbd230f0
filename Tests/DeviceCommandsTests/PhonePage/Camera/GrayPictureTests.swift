import PhonePage
import QRCode
import Testing

@Suite("Pictures from strangers")
struct GrayPictureTests {
    private func code() throws -> [UInt8] { try QRMatrix(encoding: "https://link.example").png() }

    @Test("Gray, colour, transparency and palette are read alike")
    func formats() throws {
        let matrix = try QRMatrix(encoding: "https://link.example")
        let gray = Picture(matrix)
        for format in [[], [.colour], [.alpha], [.colour, .alpha]] as [Picture.Samples] {
            let file = try gray.png(format)
            #expect(try QRReader.text(inPNG: file) == "https://link.example")
        }
        // Dark modules on a ground that is not there.
        let bare = try gray.png(.alpha, isGroundTransparent: true)
        #expect(try QRReader.text(inPNG: bare) == "https://link.example")
    }

    @Test("A file cut off at any place gives an error or the picture, never a trap")
    func truncation() throws {
        let file = try code()
        for count in 0..<file.count {
            guard let picture = try? GrayPicture(png: Array(file[..<count])) else { continue }
            #expect(picture.pixels.count == picture.width * picture.height)
        }
        #expect(throws: QRReaderError.unreadablePicture) { try GrayPicture(png: Array(file[..<40])) }
    }

    @Test("A file with any byte changed gives an error or a picture, never a trap")
    func bitFlips() throws {
        let file = try code()
        for index in file.indices {
            var changed = file
            changed[index] ^= 0x5A
            do throws(QRReaderError) {
                let picture = try GrayPicture(png: changed)
                #expect(picture.pixels.count == picture.width * picture.height)
            } catch {
                #expect([.unreadablePicture, .pictureTooLarge(pixelLimit: 16_000_000)].contains(error))
            }
        }
    }

    @Test(
        "What is no PNG is refused", arguments: [[], [0], Array("GIF89a".utf8), [UInt8](repeating: 0xFF, count: 999)])
    func foreign(_ file: [UInt8]) {
        #expect(throws: QRReaderError.unreadablePicture) { try GrayPicture(png: file) }
    }

    @Test("A picture is refused by its header when it has too many pixels, before it is decoded")
    func bomb() throws {
        let limit = QRReaderError.pictureTooLarge(pixelLimit: 16_000_000)
        for (width, height) in [(4_001, 4_000), (16_000, 16_000), (100_000, 1), (1, 100_000)] as [(UInt32, UInt32)] {
            #expect(throws: limit) { try GrayPicture(png: PNGHeader.file(width: width, height: height)) }
        }
        // The largest picture passes the header and ends for want of data.
        #expect(throws: QRReaderError.unreadablePicture) {
            try GrayPicture(png: PNGHeader.file(width: 4_000, height: 4_000))
        }
        // Sizes that the format or the library does not know.
        for width in [0, 0x7FFF_FFFF, 0xFFFF_FFFF] as [UInt32] {
            #expect(throws: QRReaderError.self) { try GrayPicture(png: PNGHeader.file(width: width, height: 1)) }
        }
    }

    @Test("A file of too many bytes is refused unread")
    func fileSize() {
        let file = [UInt8](repeating: 0, count: GrayPicture.maximumByteCount + 1)
        #expect(throws: QRReaderError.fileTooLarge(limit: 16 << 20)) { try GrayPicture(png: file) }
    }
}
