/// Picture that a person uploads instead of pointing a camera: a PNG of at most 1 MiB with one QR code.
enum QRUpload {
    static let byteLimit = 1 << 20
    private static let mark: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Text of the code.
    ///
    /// Throws ``PhonePageRefusal/tooLarge`` for a file or a picture over the limits, which is judged by its header
    /// before it is decoded, ``PhonePageRefusal/malformed`` for what is no PNG, and ``PhonePageRefusal/noCode`` where
    /// no code can be read, or several.
    static func text(in file: [UInt8]) throws(PhonePageRefusal) -> String {
        guard file.count <= byteLimit else { throw .tooLarge }
        guard file.starts(with: mark) else { throw .malformed }
        do throws(QRReaderError) {
            return try QRReader.text(inPNG: file)
        } catch {
            switch error {
            case .fileTooLarge, .pictureTooLarge: throw .tooLarge
            case .unreadablePicture: throw .malformed
            default: throw .noCode
            }
        }
    }
}
