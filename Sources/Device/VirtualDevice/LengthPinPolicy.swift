import MobileAuthentication

/// A policy that asks for a number of digits, and refuses common PINs unless told otherwise.
package struct LengthPinPolicy: PinPolicy, Sendable {
    package let minLength: Int
    package let maxLength: Int
    package let allowsCommonPins: Bool

    /// Asks for a number of digits.
    package nonisolated init(digits: ClosedRange<Int>, allowsCommonPins: Bool = false) {
        minLength = digits.lowerBound
        maxLength = digits.upperBound
        self.allowsCommonPins = allowsCommonPins
    }
}
