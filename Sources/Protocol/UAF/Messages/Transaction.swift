/// One rendering of the transaction that the user is to confirm.
///
/// FIDO UAF Protocol 1.1, 3.5.2. An array of them shows the *same* transaction in several forms.
public struct Transaction: Hashable, Sendable {
    /// Longest text in Unicode scalar values.
    public static let textScalarLimit = 200

    /// What the content is.
    public let contentType: ContentType
    /// The decoded content: the bytes that are shown and hashed.
    public let content: [UInt8]
    /// How the picture is coded; at least one entry when the content is a PNG.
    public let displayCharacteristics: [DisplayPNGCharacteristics]

    /// Makes a rendering.
    public init(
        contentType: ContentType, content: [UInt8], displayCharacteristics: [DisplayPNGCharacteristics] = []
    ) {
        self.contentType = contentType
        self.content = content
        self.displayCharacteristics = displayCharacteristics
    }
}
