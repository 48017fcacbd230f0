/// Why a picture gives no text.
@nonexhaustive
package enum QRReaderError: Error, Hashable, Sendable {
    /// The file has more bytes than is read.
    case fileTooLarge(limit: Int)
    /// The picture has more pixels than is read; it was not decoded.
    case pictureTooLarge(pixelLimit: Int)
    /// The file is no PNG, or it is damaged.
    case unreadablePicture
    /// There is no QR code in the picture that can be read: take a sharper picture.
    case noCode
    /// There are several codes that say different things: show one only.
    case severalCodes
    /// The code holds bytes that are no UTF-8 text.
    case noText
    /// The system has no memory for it: try again later.
    case outOfMemory
}
