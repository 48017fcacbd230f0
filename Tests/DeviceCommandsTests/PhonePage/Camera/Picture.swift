import CPNG
import CQREncode
import QRCode

/// Pictures that our own drawing would never make, written by the library.
struct Picture {
    enum Failure: Error {
        case library
    }

    /// What a pixel has beside its shade of gray.
    struct Samples: OptionSet {
        static let alpha = Samples(rawValue: UInt32(PNG_FORMAT_FLAG_ALPHA))
        static let colour = Samples(rawValue: UInt32(PNG_FORMAT_FLAG_COLOR))

        let rawValue: UInt32
    }

    private static let scale = 4
    private static let margin = QRMatrix.quietZone

    let width: Int
    let height: Int
    let pixels: [UInt8]

    init(gray width: Int, _ height: Int, _ shade: (Int, Int) -> UInt8) {
        self.width = width
        self.height = height
        pixels = (0..<height).flatMap { y in (0..<width).map { x in shade(x, y) } }
    }

    /// A code, some of whose modules are covered with black.
    init(_ matrix: QRMatrix, covered: (Int, Int) -> Bool = { _, _ in false }) {
        let side = (matrix.size + 2 * Self.margin) * Self.scale
        self.init(gray: side, side) { x, y in
            let (column, row) = (x / Self.scale - Self.margin, y / Self.scale - Self.margin)
            return covered(column, row) || matrix.isDark(column: column, row: row) ? 0 : 0xFF
        }
    }

    /// Two codes of the same size.
    init(sideBySide texts: [String]) throws {
        let matrices = try texts.map { try QRMatrix(encoding: $0) }
        let side = (matrices[0].size + 2 * Self.margin) * Self.scale
        self.init(gray: side * matrices.count, side) { x, y in
            let (column, row) = (x % side / Self.scale - Self.margin, y / Self.scale - Self.margin)
            return matrices[x / side].isDark(column: column, row: row) ? 0 : 0xFF
        }
    }

    /// A code of bytes that are no text.
    init(latin1 octets: [UInt8]) throws {
        guard let code = QRcode_encodeData(Int32(octets.count), octets, 0, QR_ECLEVEL_M) else { throw Failure.library }
        defer { QRcode_free(code) }
        let size = Int(code.pointee.width)
        let modules = Array(UnsafeBufferPointer(start: code.pointee.data, count: size * size))
        let side = (size + 2 * Self.margin) * Self.scale
        self.init(gray: side, side) { x, y in
            let (column, row) = (x / Self.scale - Self.margin, y / Self.scale - Self.margin)
            guard (0..<size).contains(column), (0..<size).contains(row) else { return 0xFF }
            return modules[row * size + column] & 1 == 1 ? 0 : 0xFF
        }
    }

    /// The picture as a file whose pixels have the samples named; the ground may be transparent black.
    func png(_ format: Samples = [], isGroundTransparent: Bool = false) throws -> [UInt8] {
        let colours = format.contains(.colour) ? 3 : 1
        let hasAlpha = format.contains(.alpha)
        let samples = pixels.flatMap { shade -> [UInt8] in
            let isHidden = isGroundTransparent && shade == 0xFF
            return [UInt8](repeating: isHidden ? 0 : shade, count: colours) + (hasAlpha ? [isHidden ? 0 : 0xFF] : [])
        }
        var image = signet_png_image(UInt32(width), UInt32(height), format.rawValue)
        defer { png_image_free(&image) }
        var file = [UInt8](repeating: 0, count: samples.count + 4_096)
        var count = file.count
        guard png_image_write_to_memory(&image, &file, &count, 0, samples, 0, nil) != 0 else { throw Failure.library }
        return Array(file[..<count])
    }
}
