/// The vendor part of an AAID, assigned by the FIDO Alliance: four hexadecimal digits.
///
/// FIDO UAF Protocol 1.1, 3.1.5 (`vendorID` of a match criteria). Case of the digits does not matter.
public struct VendorID: Hashable, Sendable, CustomStringConvertible {
    /// The number that the digits stand for.
    public let number: UInt16

    /// Takes the number itself.
    public init(number: UInt16) { self.number = number }

    /// Reads exactly four hexadecimal digits of either case; nil for anything else.
    public init?(_ text: String) {
        guard let number = FourDigits.read(Array(text.utf8)[...]) else { return nil }
        self.number = number
    }

    /// The digits in upper case.
    public var description: String { FourDigits.text(number) }
}
