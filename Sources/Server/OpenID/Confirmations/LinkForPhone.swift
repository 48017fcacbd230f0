import Octets

/// Link with the envelope of an order, for the phone: as a text to open, and as a picture to scan.
package struct LinkForPhone: Sendable {
    /// Longest link in octets; a QR code of version 40 holds 2,953.
    package static let byteLimit = 2_048

    /// The link; its holder may redeem the token.
    package var text: String { sensitiveText.reveal() }
    private let sensitiveText: Sensitive<String>
    /// QR code of the link as PNG, at most 16 KiB.
    package var picture: [UInt8] { sensitivePicture.reveal() }
    private let sensitivePicture: Sensitive<[UInt8]>

    /// Takes a link and its picture; nil for a link that is too long.
    package init?(text: String, picture: [UInt8]) {
        guard text.utf8.count <= Self.byteLimit else { return nil }
        sensitiveText = Sensitive(text)
        sensitivePicture = Sensitive(picture)
    }
}
