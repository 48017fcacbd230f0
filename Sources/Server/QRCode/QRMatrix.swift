import CQREncode

/// The modules of a QR code (ISO/IEC 18004): a square of dark and light fields without the quiet zone around it.
///
/// The text is encoded as bytes (UTF-8) in the smallest version that holds it, with error correction L (7 %): codes stand on
/// screens, where a coarser code helps a poor camera more than redundancy does.
package struct QRMatrix: Hashable, Sendable {
    /// The longest text in bytes: version 40 with error correction L.
    package static let maximumByteCount = 2_953
    /// Width of the light margin that readers need, in modules.
    package static let quietZone = 4

    /// Modules of one side, 21 to 177.
    package let size: Int
    private let darkness: [Bool]

    /// Encodes a text.
    ///
    /// Throws ``QRCodeError/emptyText``, ``QRCodeError/textTooLong(byteCount:limit:)`` or
    /// ``QRCodeError/encodingFailed``.
    package init(encoding text: String) throws(QRCodeError) {
        let octets = Array(text.utf8)
        guard !octets.isEmpty else { throw .emptyText }
        guard octets.count <= Self.maximumByteCount else {
            throw .textTooLong(byteCount: octets.count, limit: Self.maximumByteCount)
        }
        guard let code = QRcode_encodeData(Int32(octets.count), octets, 0, QR_ECLEVEL_L) else {
            throw .encodingFailed
        }
        defer { QRcode_free(code) }
        size = Int(code.pointee.width)
        // The lowest bit of each byte says whether the module is dark.
        darkness = UnsafeBufferPointer(start: code.pointee.data, count: size * size).map { $0 & 1 == 1 }
    }

    /// Whether a module is dark; everything outside the square is light.
    package func isDark(column: Int, row: Int) -> Bool {
        guard (0..<size).contains(column), (0..<size).contains(row) else { return false }
        return darkness[row * size + column]
    }
}
