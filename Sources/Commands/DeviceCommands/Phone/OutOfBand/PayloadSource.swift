import BackendAPI
package import CommandSupport
import Foundation
import MobileAuthentication
import PhonePage

/// Source of an out-of-band payload: a picture of a QR code, a link, a push message, or the text of one.
package enum PayloadSource: Hashable {
    /// A file with a picture (PNG) or a text.
    case file(String)
    case text(String)
    case standardInput

    /// Maximum size of a file or of the standard input, in bytes.
    private static let byteLimit = GrayPicture.maximumByteCount
    private static let pictureMark: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Interprets an argument: `-` is standard input, the path of an existing file is that file, everything else is the
    /// text itself.
    init(_ argument: String) {
        self =
            if argument == "-" {
                .standardInput
            } else if FileManager.default.fileExists(atPath: argument) {
                .file(argument)
            } else {
                .text(argument)
            }
    }

    /// Reads and decodes the payload; throws ``CommandFailure`` for unreadable input, and the SDK's error for a
    /// malformed payload.
    func payload(of client: any MobileAuthenticationClient) throws -> OutOfBandPayload {
        let decode = client.operations.outOfBandPayloadDecode
        switch try PayloadForm(text()) {
        case .json(let text): return try decode.json(text).perform()
        case .base64URL(let text): return try decode.base64UrlEncoded(text).perform()
        }
    }

    /// Text of the source, or of the QR code in its picture.
    package func text() throws(CommandFailure) -> String {
        switch self {
        case .text(let text): return text
        case .file(let path): return try Self.text(in: FileHandle(forReadingAtPath: path), named: path)
        case .standardInput: return try Self.text(in: .standardInput, named: "standard input")
        }
    }

    private static func text(in file: FileHandle?, named name: String) throws(CommandFailure) -> String {
        guard let content = try? file?.read(upToCount: byteLimit + 1), content.count <= byteLimit else {
            throw .local("PayloadUnreadable", "\(name) cannot be read, or is larger than 16 MiB")
        }
        let octets = [UInt8](content)
        if octets.starts(with: pictureMark) { return try textInPicture(octets, named: name) }
        guard let text = String(validating: octets, as: UTF8.self) else {
            throw .local("PayloadUnreadable", "\(name) is neither a picture (PNG) nor a text")
        }
        return text
    }

    private static func textInPicture(_ picture: [UInt8], named name: String) throws(CommandFailure) -> String {
        do throws(QRReaderError) {
            return try QRReader.text(inPNG: picture)
        } catch {
            let reason =
                switch error {
                case .noCode: "it holds no readable QR code; take a sharper picture"
                case .severalCodes: "there are several QR codes in it; show one only"
                case .noText: "its QR code holds no text"
                case .fileTooLarge, .pictureTooLarge: "it is too large"
                case .unreadablePicture: "it is damaged or no PNG"
                case .outOfMemory: "there is not enough memory for it; try again later"
                }
            throw .local("PictureUnreadable", "the picture in \(name) cannot be used: \(reason)")
        }
    }
}

enum PayloadForm: Hashable {
    /// The JSON document itself, as in a push message.
    case json(String)
    /// Base64url text of a QR code, or of the query parameter of a link.
    case base64URL(String)

    /// Recognizes the encoding of a text; a link is reduced to its parameter `dispatchTokenResponse`.
    ///
    /// Throws ``CommandFailure`` for a link without that parameter.
    init(_ text: String) throws(CommandFailure) {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        if text.hasPrefix("{") {
            self = .json(text)
        } else if text.contains(":") {
            self = .base64URL(try Self.parameter(of: text))
        } else {
            self = .base64URL(text)
        }
    }

    private static func parameter(of link: String) throws(CommandFailure) -> String {
        let values = URLComponents(string: link)?.queryItems?.filter { $0.name == OutOfBandEnvelope.linkParameter }
        guard let value = values?.first?.value, values?.count == 1, !value.isEmpty else {
            throw .local("BadLink", "the link has no parameter \(OutOfBandEnvelope.linkParameter), or more than one")
        }
        return value
    }
}
