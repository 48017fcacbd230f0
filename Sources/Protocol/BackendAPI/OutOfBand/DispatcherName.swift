import Octets

/// The name of a way to bring a token to a device (`backend-http-api` 2.4); names we do not know survive reading.
public struct DispatcherName: RawRepresentable, Hashable, Sendable {
    /// The spelling on the wire.
    public let rawValue: String

    /// Takes any spelling.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A push message through Firebase Cloud Messaging.
    public static let firebaseCloudMessaging = DispatcherName(rawValue: "firebase-cloud-messaging")
    /// A link that opens the application.
    public static let link = DispatcherName(rawValue: "link")
    /// A picture of a QR code with the payload itself.
    public static let pngQRCode = DispatcherName(rawValue: "png-qr-code")
    /// A picture of a QR code with a link that opens the application.
    public static let linkPNGQRCode = DispatcherName(rawValue: "link-png-qr-code")

    /// Whether both are spelled with the same bytes.
    public static func == (one: Self, other: Self) -> Bool { one.rawValue.hasSameOctets(as: other.rawValue) }

    /// Feeds the bytes of the spelling to the hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(Array(rawValue.utf8)) }
}
