import CPNG

/// Greyscale image, one byte for each pixel, the rows from top to bottom.
package struct GrayPicture: Hashable, Sendable {
    package static let maximumByteCount = 16 << 20
    /// Limit of an image in pixels: a good camera's.
    package static let maximumPixelCount = 16_000_000
    /// The longest side in pixels; a strip of one row would be no code.
    static let maximumSide = 16_384

    package let width: Int
    package let height: Int
    /// The shades, 0 is black.
    package let pixels: [UInt8]

    /// Reads a PNG file; what is transparent is white.
    ///
    /// The size is judged by the header before anything is decoded. Throws ``QRReaderError/fileTooLarge(limit:)``,
    /// ``QRReaderError/pictureTooLarge(pixelLimit:)`` or ``QRReaderError/unreadablePicture``.
    package init(png file: [UInt8]) throws(QRReaderError) {
        guard file.count <= Self.maximumByteCount else { throw .fileTooLarge(limit: Self.maximumByteCount) }
        guard !file.isEmpty else { throw .unreadablePicture }
        // The library keeps the addresses of the file and of its structure between its two calls.
        var image = signet_png_image(0, 0, 0)
        let decoded = file.withUnsafeBytes { file in
            withUnsafeMutablePointer(to: &image) { Self.decode(file, with: $0) }
        }
        self = try decoded.get()
    }

    private init(width: Int, height: Int, pixels: [UInt8]) {
        self.width = width
        self.height = height
        self.pixels = pixels
    }

    private static func decode(
        _ file: UnsafeRawBufferPointer, with image: UnsafeMutablePointer<png_image>
    ) -> Result<GrayPicture, QRReaderError> {
        defer { png_image_free(image) }
        guard png_image_begin_read_from_memory(image, file.baseAddress, file.count) != 0 else {
            return .failure(.unreadablePicture)
        }
        let (width, height) = (Int(image.pointee.width), Int(image.pointee.height))
        let (pixelCount, overflow) = width.multipliedReportingOverflow(by: height)
        guard !overflow, pixelCount <= maximumPixelCount, max(width, height) <= maximumSide else {
            return .failure(.pictureTooLarge(pixelLimit: maximumPixelCount))
        }
        image.pointee.format = UInt32(PNG_FORMAT_GRAY)
        var white = png_color(red: 0xFF, green: 0xFF, blue: 0xFF)
        var pixels = [UInt8](repeating: 0xFF, count: pixelCount)
        guard png_image_finish_read(image, &white, &pixels, Int32(width), nil) != 0 else {
            return .failure(.unreadablePicture)
        }
        return .success(GrayPicture(width: width, height: height, pixels: pixels))
    }
}
