/// The display of an authenticator, if it has one, and what it takes.
///
/// FIDO Metadata Statements 1.1, 4 (`tcDisplay...`).
public struct TransactionDisplay: Hashable, Sendable {
    /// Kind of display; empty when there is none.
    public var kind: TransactionConfirmationDisplay
    /// What it shows; given exactly when there is a display.
    public var contentType: ContentType?
    /// How pictures must be coded; given when it shows PNG.
    public var characteristics: [DisplayPNGCharacteristics]

    /// States the display; without arguments, none.
    public init(
        kind: TransactionConfirmationDisplay = [], contentType: ContentType? = nil,
        characteristics: [DisplayPNGCharacteristics] = []
    ) {
        self.kind = kind
        self.contentType = contentType
        self.characteristics = characteristics
    }
}
