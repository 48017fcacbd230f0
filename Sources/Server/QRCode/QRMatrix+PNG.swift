import CPNG

extension QRMatrix {
    /// Pixels of one side of a module when nothing else is asked for.
    package static let standardScale = 4
    /// The largest scale: a picture of the largest code has then 2,960 pixels on each side.
    package static let maximumScale = 16

    /// The code as a picture (PNG) with its quiet zone: one bit for each pixel, black on white.
    ///
    /// `scale` is the pixels of one side of a module, 1 to 16. Throws ``QRCodeError/unusableScale`` or
    /// ``QRCodeError/encodingFailed``.
    package func png(scale: Int = standardScale) throws(QRCodeError) -> [UInt8] {
        guard (1...Self.maximumScale).contains(scale) else { throw .unusableScale }
        let rows = rows(scale: scale)
        let (count, width) = (size + 2 * Self.quietZone, (size + 2 * Self.quietZone) * scale)
        // No picture is larger than its pixels, with headers and a frame for each block of data.
        let file = [UInt8](unsafeUninitializedCapacity: rows.count * scale + width * scale + 4_096) { file, written in
            written = signet_png_write_rows(
                rows, UInt32(width), UInt32(count), UInt32(scale), file.baseAddress, file.count)
        }
        guard !file.isEmpty else { throw .encodingFailed }
        return file
    }

    /// Row of pixels for each row of modules, a bit for each pixel, white being 1.
    private func rows(scale: Int) -> [UInt8] {
        let count = size + 2 * Self.quietZone
        let stride = (count * scale + 7) / 8
        var rows = [UInt8](repeating: 0, count: stride * count)
        for row in 0..<count {
            for column in 0..<count where !isDark(column: column - Self.quietZone, row: row - Self.quietZone) {
                for pixel in column * scale..<(column + 1) * scale {
                    rows[row * stride + pixel / 8] |= 0x80 >> UInt8(pixel % 8)
                }
            }
        }
        return rows
    }
}
