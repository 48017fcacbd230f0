import Crypto
import Octets
package import StrictJSON

/// One rendering of the transaction that the user is to confirm.
///
/// FIDO UAF Protocol 1.1, 3.5.2. An array of them shows the *same* transaction in several forms.
///
/// ```swift
/// let transaction = Transaction(contentType: .plainText, content: Array("Pay 120 CHF to Anna".utf8))
/// let request = AuthenticationRequest(
///     header: header, challenge: challenge, transactions: [transaction], policy: policy)
/// let confirmed = transaction.contentHash  // The assertion has to carry this hash.
/// ```
public struct Transaction: Hashable, Sendable {
    /// Longest text in Unicode scalar values.
    public static let textScalarLimit = 200

    /// MIME type of the content.
    public let contentType: ContentType
    /// The decoded content: the bytes that are shown and hashed.
    public let content: [UInt8]
    /// PNG encoding of the image; at least one entry when the content is a PNG.
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

extension Transaction {
    /// SHA-256 of the decoded content, which is what the authenticator signs (FIDO UAF Protocol 1.1, 3.5.7.5).
    public var contentHash: [UInt8] { Array(SHA256.hash(data: content)) }
}

extension Transaction: JSONCoded {
    /// Reads a rendering; a text has at most 200 characters, an image states its encoding.
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            contentType: try members.required("contentType", rules: rules),
            content: try members.required("content") { value throws(JSONTypeError) in
                try value.asOctets(byteCounts: 1..., rules: rules)
            },
            displayCharacteristics: try members.optionalArray("tcDisplayPNGCharacteristics", rules: rules) ?? [])
        if contentType == .plainText {
            guard let text = String(validUTF8: content) else {
                throw JSONTypeError(path: ["content"], .invalidForm)
            }
            let isShort = rules.transactionTextByteLimit.map { content.count <= $0 }
            guard isShort ?? (text.unicodeScalars.count <= Self.textScalarLimit) else {
                throw JSONTypeError(path: ["content"], .outOfRange)
            }
        } else if contentType == .png, displayCharacteristics.isEmpty {
            throw JSONTypeError(path: ["tcDisplayPNGCharacteristics"], .missing)
        }
    }

    package var json: JSONValue {
        .object([
            "contentType": contentType.json, "content": .string(Base64URL.encode(content)),
            "tcDisplayPNGCharacteristics": .list(displayCharacteristics),
        ])
    }
}

/// Type of an authenticator's transaction display; empty when it has none.
///
/// FIDO Registry of Predefined Values 1.1, 3.5.
public struct TransactionConfirmationDisplay: OptionSet, Hashable, Sendable {
    /// The flags as the protocol writes them; unknown ones are kept.
    public let rawValue: UInt16

    /// Creates flags from the number of the protocol.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// A display of some kind.
    public static let any = TransactionConfirmationDisplay(rawValue: 0x01)
    /// Drawn by software with more rights than an ordinary application, or by the application itself.
    public static let privilegedSoftware = TransactionConfirmationDisplay(rawValue: 0x02)
    /// Drawn by a trusted execution environment.
    public static let trustedExecution = TransactionConfirmationDisplay(rawValue: 0x04)
    /// Drawn by separate hardware.
    public static let hardware = TransactionConfirmationDisplay(rawValue: 0x08)
    /// On another device.
    public static let remote = TransactionConfirmationDisplay(rawValue: 0x10)
}

/// The display of an authenticator, if it has one, and what it takes.
///
/// FIDO Metadata Statements 1.1, 4 (`tcDisplay...`).
public struct TransactionDisplay: Hashable, Sendable {
    /// Kind of display; empty when there is none.
    public var kind: TransactionConfirmationDisplay
    /// Content type that it shows; given exactly when there is a display.
    public var contentType: ContentType?
    /// Required PNG encoding of images; given when it shows PNG.
    public var characteristics: [DisplayPNGCharacteristics]

    /// Creates the display; without arguments, none.
    public init(
        kind: TransactionConfirmationDisplay = [], contentType: ContentType? = nil,
        characteristics: [DisplayPNGCharacteristics] = []
    ) {
        self.kind = kind
        self.contentType = contentType
        self.characteristics = characteristics
    }
}
