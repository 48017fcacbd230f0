/// The spelling of half an AAID.
enum FourDigits {
    /// Reads exactly four hexadecimal digits of either case.
    static func read(_ digits: ArraySlice<UInt8>) -> UInt16? {
        guard digits.count == 4 else { return nil }
        var number: UInt16 = 0
        for digit in digits {
            guard let value = value(of: digit) else { return nil }
            number = number << 4 | value
        }
        return number
    }

    /// Four upper case digits.
    static func text(_ number: UInt16) -> String {
        let digits = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: 4 - digits.utf8.count) + digits
    }

    private static func value(of digit: UInt8) -> UInt16? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(digit - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(digit - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(digit - UInt8(ascii: "A")) + 10
        default: nil
        }
    }
}
