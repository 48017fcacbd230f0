import CZBar
import Octets

/// Reads the QR code in an image, as a phone's camera does.
package enum QRReader {
    /// The text of the one QR code in a PNG file.
    ///
    /// The file is untrusted: its sizes are bounded and a damaged one ends in an error. Throws ``QRReaderError``.
    package static func text(inPNG file: [UInt8]) throws(QRReaderError) -> String {
        try text(in: GrayPicture(png: file))
    }

    /// The text of the one QR code in an image.
    ///
    /// The same code may be there twice. Throws ``QRReaderError/noCode``, ``QRReaderError/severalCodes``,
    /// ``QRReaderError/noText`` or ``QRReaderError/outOfMemory``.
    package static func text(in picture: GrayPicture) throws(QRReaderError) -> String {
        let contents = Set(try contents(of: picture))
        guard let content = contents.first else { throw .noCode }
        guard contents.count == 1 else { throw .severalCodes }
        guard let text = String(validUTF8: content) else { throw .noText }
        return text
    }

    private static func contents(of picture: GrayPicture) throws(QRReaderError) -> [[UInt8]] {
        guard let scanner = zbar_image_scanner_create() else { throw .outOfMemory }
        defer { zbar_image_scanner_destroy(scanner) }
        // Nothing but QR codes, and their bytes as they are: no guess at the alphabet of the text.
        zbar_image_scanner_set_config(scanner, ZBAR_NONE, ZBAR_CFG_ENABLE, 0)
        zbar_image_scanner_set_config(scanner, ZBAR_QRCODE, ZBAR_CFG_ENABLE, 1)
        zbar_image_scanner_set_config(scanner, ZBAR_QRCODE, ZBAR_CFG_BINARY, 1)
        // Screens in dark mode show light modules on dark ground.
        zbar_image_scanner_set_config(scanner, ZBAR_NONE, ZBAR_CFG_TEST_INVERTED, 1)
        guard let image = zbar_image_create() else { throw .outOfMemory }
        defer { zbar_image_destroy(image) }
        return picture.pixels.withUnsafeBytes { pixels in
            zbar_image_set_format(image, luminance)
            zbar_image_set_size(image, UInt32(picture.width), UInt32(picture.height))
            zbar_image_set_data(image, pixels.baseAddress, UInt(pixels.count), nil)
            guard zbar_scan_image(scanner, image) > 0 else { return [] }
            return symbols(of: image)
        }
    }

    /// `Y800`: one byte of brightness for each pixel.
    private static let luminance = UInt("Y800".utf8.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) })

    private static func symbols(of image: OpaquePointer) -> [[UInt8]] {
        var contents: [[UInt8]] = []
        var symbol = zbar_image_first_symbol(image)
        while let found = symbol {
            if let content = zbar_symbol_get_data(found) {
                let bytes = UnsafeRawBufferPointer(start: content, count: Int(zbar_symbol_get_data_length(found)))
                contents.append(Array(bytes))
            }
            symbol = zbar_symbol_next(found)
        }
        return contents
    }
}

/// Errors of reading a QR code from an image.
@nonexhaustive
package enum QRReaderError: Error, Hashable, Sendable {
    case fileTooLarge(limit: Int)
    /// The image exceeds the limit of pixels; it was not decoded.
    case pictureTooLarge(pixelLimit: Int)
    /// The file is no PNG, or it is damaged.
    case unreadablePicture
    case noCode
    /// There are several codes that say different things: show one only.
    case severalCodes
    /// The code holds bytes that are no UTF-8 text.
    case noText
    case outOfMemory
}
