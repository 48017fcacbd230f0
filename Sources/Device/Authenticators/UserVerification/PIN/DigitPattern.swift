/// Patterns that people find easy to remember, and thieves easy to guess.
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
