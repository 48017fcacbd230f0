/// Common PINs, which are among the first that an attacker tries: patterns by rule, and a short list of others.
///
/// Rules: one digit or block repeated (1111, 1212, 123123), equal steps (1234, 9876, 2468), the same backwards (1221), years
/// (1987, 2001), doubled digits in steps (112233), pairs in steps (102030), two halves in steps (123321, 789456), one digit
/// nearly alone (0007), neighbours in order (1123). The list has what no rule explains: lines on the keypad, holidays, and
/// small changes of a sequence.
package enum GuessablePINs {
    private static let keypad = [
        "2580", "0852", "8520", "1470", "7410", "0147", "3690", "1590", "7530", "159753", "159357",
    ]
    private static let days = ["1224", "1225", "1231", "0101", "0907", "1029", "1124", "1225", "0704", "0401", "0214"]
    private static let habits = [
        "1004", "1020", "1023", "1024", "1213", "1230", "1235", "1245", "1318", "1324", "4200", "5150", "246810",
        "135790",
        "135791", "420420", "696969", "142536", "112358", "314159", "31415", "271828", "123654", "147896", "741852",
    ]
    private static let all = Set((keypad + days + habits).map { $0.utf8.map { Int($0) - Int(UInt8(ascii: "0")) } })

    /// Whether a PIN, the ASCII bytes of its digits, is one of them.
    package static func contains(_ pin: some Collection<UInt8>) -> Bool {
        var digits = pin.map { Int($0) - Int(UInt8(ascii: "0")) }
        defer { for index in digits.indices { digits[index] = 0 } }
        return DigitPattern.isBlockRepeated(digits) || DigitPattern.hasEqualSteps(digits)
            || digits == Array(digits.reversed()) || DigitPattern.isYear(digits) || DigitPattern.isDoubled(digits)
            || DigitPattern.isPairsInSteps(digits) || DigitPattern.isTwoSteppedHalves(digits)
            || DigitPattern.isNearlyOneDigit(digits) || DigitPattern.isInOrder(digits) || all.contains(digits)
    }
}

/// Digit patterns that are easy to remember, and easy to guess.
enum DigitPattern {
    /// 1111, 1212, 123123.
    static func isBlockRepeated(_ digits: [Int]) -> Bool {
        (1...max(1, digits.count / 2)).contains { length in
            digits.count.isMultiple(of: length) && digits.indices.allSatisfy { digits[$0] == digits[$0 % length] }
        }
    }

    /// 1234, 7890, 9876, 1357: one step from digit to digit, counted around from 9 to 0.
    static func hasEqualSteps(_ digits: [Int]) -> Bool {
        Set(zip(digits, digits.dropFirst()).map { ($1 - $0 + 10) % 10 }).count == 1
    }

    /// 1900 to 2099.
    static func isYear(_ digits: [Int]) -> Bool {
        digits.count == 4 && ([1, 9] == digits.prefix(2) || [2, 0] == digits.prefix(2))
    }

    /// 1122, 112233, 998877.
    static func isDoubled(_ digits: [Int]) -> Bool {
        guard digits.count.isMultiple(of: 2) else { return false }
        let pairs = pairs(of: digits)
        guard pairs.allSatisfy({ $0 / 10 == $0 % 10 }) else { return false }
        return pairs.count <= 2 || hasEqualSteps(pairs.map { $0 % 10 })
    }

    /// 010203, 102030, 051015.
    static func isPairsInSteps(_ digits: [Int]) -> Bool {
        guard digits.count >= 6, digits.count.isMultiple(of: 2) else { return false }
        let pairs = pairs(of: digits)
        return Set(zip(pairs, pairs.dropFirst()).map { $1 - $0 }).count == 1
    }

    /// 123321, 789456, 147258.
    static func isTwoSteppedHalves(_ digits: [Int]) -> Bool {
        guard digits.count >= 6, digits.count.isMultiple(of: 2) else { return false }
        return [digits.prefix(digits.count / 2), digits.suffix(digits.count / 2)].allSatisfy { half in
            Set(zip(half, half.dropFirst()).map { $1 - $0 }).count == 1
        }
    }

    /// 0007, 1211, 000001: all digits but one are the same.
    static func isNearlyOneDigit(_ digits: [Int]) -> Bool {
        digits.contains { digit in digits.count { $0 == digit } >= digits.count - 1 }
    }

    /// 1123, 1233, 1223: each digit is the one before or the next.
    static func isInOrder(_ digits: [Int]) -> Bool {
        zip(digits, digits.dropFirst()).allSatisfy { (0...1).contains($1 - $0) }
    }

    private static func pairs(of digits: [Int]) -> [Int] {
        stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] * 10 + digits[$0 + 1] }
    }
}
