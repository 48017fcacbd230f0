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
        let width = (size + 2 * Self.quietZone) * scale
        return try Self.encode(pixels(scale: scale, width: width), width: width)
    }

    /// One byte for each pixel, the index into ``palette``.
    private func pixels(scale: Int, width: Int) -> [UInt8] {
        var pixels: [UInt8] = []
        pixels.reserveCapacity(width * width)
        for y in 0..<width {
            for x in 0..<width {
                let isDark = isDark(column: x / scale - Self.quietZone, row: y / scale - Self.quietZone)
                pixels.append(isDark ? 0 : 1)
            }
        }
        return pixels
    }

    private static let palette: [UInt8] = [0x00, 0xFF]

    private static func encode(_ pixels: [UInt8], width: Int) throws(QRCodeError) -> [UInt8] {
        var image = signet_png_image(UInt32(width), UInt32(width), UInt32(PNG_FORMAT_FLAG_COLORMAP))
        image.colormap_entries = UInt32(palette.count)
        defer { png_image_free(&image) }
        // No picture is larger than its pixels, a byte each, with headers and a frame for each block of data.
        var file = [UInt8](repeating: 0, count: pixels.count + 4_096)
        var byteCount = file.count
        guard png_image_write_to_memory(&image, &file, &byteCount, 0, pixels, Int32(width), palette) != 0,
            byteCount <= file.count
        else { throw .encodingFailed }
        return Array(file[..<byteCount])
    }
}
