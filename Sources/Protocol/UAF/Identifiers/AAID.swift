/// Authenticator Attestation ID: model of an authenticator, `V#M` with four hexadecimal digits on either side.
///
/// FIDO UAF Protocol 1.1, 3.1.4. Two AAIDs that differ only in the case of their digits are the same; the text given
/// out has upper case digits, the way they are registered.
public struct AAID: Hashable, Sendable, CustomStringConvertible {
    /// Length of the text in characters, which are also its bytes.
    public static let characterCount = 9

    /// Vendor that the FIDO Alliance has assigned the first half to.
    public let vendor: VendorID
    /// Model number, assigned by the vendor.
    public let model: UInt16

    /// Creates an AAID from its two numbers.
    public init(vendor: VendorID, model: UInt16) {
        self.vendor = vendor
        self.model = model
    }

    /// Reads the nine characters of an AAID; nil for anything else.
    public init?(_ text: String) { self.init(octets: Array(text.utf8)[...]) }

    /// Reads the nine ASCII bytes of an AAID, as they appear in an assertion; nil for anything else.
    public init?(octets: ArraySlice<UInt8>) {
        guard octets.count == Self.characterCount, octets[octets.startIndex + 4] == UInt8(ascii: "#"),
            let vendor = FourDigits.read(octets.prefix(4)), let model = FourDigits.read(octets.suffix(4))
        else { return nil }
        self.init(vendor: VendorID(number: vendor), model: model)
    }

    /// The nine characters, upper case.
    public var text: String { "\(vendor)#\(FourDigits.text(model))" }

    /// Same as ``text``.
    public var description: String { text }
}
