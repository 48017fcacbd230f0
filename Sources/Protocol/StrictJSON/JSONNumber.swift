import Octets

/// A number as it was written.
package struct JSONNumber: Sendable, Hashable {
    /// The characters of the number.
    package let text: String
    /// The value when the number is written as an integer (no fraction, no exponent, not `-0`) of at most 64 bits.
    package let integer: Int64?

    /// A number to be written.
    package init(integer: Int64) {
        text = String(integer)
        self.integer = integer
    }

    init(text: String) {
        self.text = text
        integer = text.hasSameOctets(as: "-0") ? nil : Int64(text)
    }
}
