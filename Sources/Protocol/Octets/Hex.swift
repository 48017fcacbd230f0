/// Hexadecimal text, two digits a byte.
package enum Hex {
    /// Errors of decoding hexadecimal text.
    package enum DecodingError: Error, Hashable, Sendable {
        case oddLength(Int)
        /// Not one of 0-9, a-f, A-F, at this offset.
        case foreignCharacter(offset: Int)
    }

    /// Encodes bytes with lower case digits.
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 0x0F)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes digits of either case.
    package static func decode(_ text: String) throws(DecodingError) -> [UInt8] {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2) else { throw .oddLength(digits.count) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for offset in stride(from: 0, to: digits.count, by: 2) {
            guard let high = value(of: digits[offset]) else { throw .foreignCharacter(offset: offset) }
            guard let low = value(of: digits[offset + 1]) else { throw .foreignCharacter(offset: offset + 1) }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
