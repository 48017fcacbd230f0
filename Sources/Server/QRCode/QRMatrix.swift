import CQREncode

/// The modules of a QR code (ISO/IEC 18004): a square of dark and light fields without the quiet zone around it.
///
/// The text is encoded as bytes (UTF-8) in the smallest version that holds it.
package struct QRMatrix: Hashable, Sendable {
    /// Error correction level: the share of a code that may be unreadable.
    package enum Correction: Hashable, Sendable, CaseIterable {
        /// 7 % (level L): for a screen, where a smaller code counts more.
        case low
        /// 15 % (level M).
        case medium
    }

    /// The longest text in bytes: version 40 with error correction M; the same limit holds for less correction.
    package static let maximumByteCount = 2_331
    /// Width of the light margin that readers need, in modules.
    package static let quietZone = 4

    /// Modules of one side, 21 to 177.
    package let size: Int
    private let darkness: [Bool]

    /// Encodes a text.
    ///
    /// Throws ``QRCodeError/emptyText``, ``QRCodeError/textTooLong(byteCount:limit:)`` or
    /// ``QRCodeError/encodingFailed``.
    package init(encoding text: String, correction: Correction = .medium) throws(QRCodeError) {
        let octets = Array(text.utf8)
        guard !octets.isEmpty else { throw .emptyText }
        guard octets.count <= Self.maximumByteCount else {
            throw .textTooLong(byteCount: octets.count, limit: Self.maximumByteCount)
        }
        let level = correction == .low ? QR_ECLEVEL_L : QR_ECLEVEL_M
        guard let code = QRcode_encodeData(Int32(octets.count), octets, 0, level) else {
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
