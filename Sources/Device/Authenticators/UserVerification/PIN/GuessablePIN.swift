import Octets

/// A PIN that is among the first a thief tries.
package struct GuessablePIN: Error, Hashable, Sendable {}

extension PIN {
    /// Throws ``GuessablePIN`` for a PIN that many people choose: patterns by rule, and a short list of others.
    ///
    /// Rules: one digit or block repeated (1111, 1212, 123123), equal steps (1234, 9876, 2468), the same backwards
    /// (1221), years (1987, 2001), doubled digits in steps (112233), pairs in steps (102030), two halves in steps
    /// (123321, 789456), one digit nearly alone (0007), neighbours in order (1123).
    package borrowing func requireUnguessable() throws(GuessablePIN) {
        var digits = withUnsafeBytes { bytes in bytes.map { Int($0) - Int(UInt8(ascii: "0")) } }
        defer { for index in digits.indices { digits[index] = 0 } }
        let isCommon =
            DigitPattern.isBlockRepeated(digits) || DigitPattern.hasEqualSteps(digits)
            || digits == Array(digits.reversed()) || DigitPattern.isYear(digits) || DigitPattern.isDoubled(digits)
            || DigitPattern.isPairsInSteps(digits) || DigitPattern.isTwoSteppedHalves(digits)
            || DigitPattern.isNearlyOneDigit(digits) || DigitPattern.isInOrder(digits)
            || GuessablePINs.contains(digits)
        guard !isCommon else { throw GuessablePIN() }
    }
}
