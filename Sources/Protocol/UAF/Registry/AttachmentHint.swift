/// Attachment of an authenticator to the device; a hint only.
///
/// FIDO Registry of Predefined Values 1.1, 3.4.
public struct AttachmentHint: OptionSet, Hashable, Sendable {
    /// The flags as the protocol writes them; unknown ones are kept.
    public let rawValue: UInt32

    /// Creates flags from the number of the protocol.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Built into the device.
    public static let `internal` = AttachmentHint(rawValue: 0x0001)
    /// A separate device.
    public static let external = AttachmentHint(rawValue: 0x0002)
    /// By a wire.
    public static let wired = AttachmentHint(rawValue: 0x0004)
    /// Without a wire.
    public static let wireless = AttachmentHint(rawValue: 0x0008)
    /// By near field communication.
    public static let nfc = AttachmentHint(rawValue: 0x0010)
    /// By Bluetooth.
    public static let bluetooth = AttachmentHint(rawValue: 0x0020)
    /// Over a network.
    public static let network = AttachmentHint(rawValue: 0x0040)
    /// Ready for use now.
    public static let ready = AttachmentHint(rawValue: 0x0080)
    /// By Wi-Fi Direct.
    public static let wifiDirect = AttachmentHint(rawValue: 0x0100)
}
