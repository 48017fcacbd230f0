/// Failure to encode or draw a QR code.
@nonexhaustive
package enum QRCodeError: Error, Hashable, Sendable {
    case emptyText
    case textTooLong(byteCount: Int, limit: Int)
    /// A module would have no pixel, or the picture more of them than is sensible.
    case unusableScale
    /// The system has no memory for it, or its library failed: try again later.
    case encodingFailed
}
