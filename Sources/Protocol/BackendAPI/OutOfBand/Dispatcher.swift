import Octets
import StrictJSON

/// Name of a channel through which tokens are dispatched to devices; unknown names survive decoding.
public struct DispatcherName: RawRepresentable, Hashable, Sendable {
    /// The spelling on the wire.
    public let rawValue: String

    /// Accepts spellings that this version does not know.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A push message through Firebase Cloud Messaging.
    public static let firebaseCloudMessaging = DispatcherName(rawValue: "firebase-cloud-messaging")
    /// A link that opens the application.
    public static let link = DispatcherName(rawValue: "link")
    /// An image of a QR code with the payload itself.
    public static let pngQRCode = DispatcherName(rawValue: "png-qr-code")
    /// An image of a QR code with a link that opens the application.
    public static let linkPNGQRCode = DispatcherName(rawValue: "link-png-qr-code")

    /// Whether both are spelled with the same bytes.
    public static func == (one: Self, other: Self) -> Bool { one.rawValue.hasSameOctets(as: other.rawValue) }

    /// Feeds the bytes of the spelling to the hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(Array(rawValue.utf8)) }
}

/// Response of a dispatcher.
public struct DispatcherInformation: Hashable, Sendable {
    /// The dispatcher that was used.
    public let name: DispatcherName
    /// The link, the image (PNG in base64), or the response of the push service.
    public var response: String { sensitiveResponse.reveal() }
    private let sensitiveResponse: Sensitive<String>
    /// Text of the QR code in the image, for a caller in the process that has drawn it; nil without an image.
    ///
    /// It is not part of the message: clients need not read the picture to learn what it holds, and do not get it twice.
    package var codeText: String? { sensitiveCodeText?.reveal() }
    private let sensitiveCodeText: Sensitive<String>?

    /// The answer of a dispatcher.
    public init(name: DispatcherName, response: String) {
        self.init(name: name, response: response, codeText: nil)
    }

    package init(name: DispatcherName, response: String, codeText: String?) {
        self.name = name
        sensitiveResponse = Sensitive(response)
        sensitiveCodeText = codeText.map(Sensitive.init)
    }
}

extension DispatcherInformation: StrictlyCoded {
    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            name: DispatcherName(rawValue: try members.string("name")), response: try members.string("response"))
    }

    var json: JSONValue { .object(["name": .string(name.rawValue), "response": .string(response)]) }
}
