/// A tag of the UAF TLV encoding; 14 bits are used.
///
/// FIDO UAF Registry 1.1, 3 and 4; FIDO UAF Authenticator Commands 1.1, 5 and 6.
public struct TLVTag: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// Bits that a tag may have.
    public static let mask: UInt16 = 0x3FFF

    /// The number; on the wire least significant byte first.
    public let rawValue: UInt16

    /// Takes a number as it is.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Whether the value is itself a sequence of elements.
    public var isComposite: Bool { rawValue & 0x1000 != 0 }

    /// Whether a receiver that does not know the tag must refuse the whole message.
    public var isCritical: Bool { rawValue & 0x2000 != 0 }

    /// Four hexadecimal digits after `0x`.
    public var description: String { "0x" + FourDigits.text(rawValue) }
}
