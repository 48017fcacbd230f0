/// Percent encoding of form fields (URL Standard, `application/x-www-form-urlencoded`).
package enum FormCoding {
    /// Decodes one name or value; refuses what a browser never sends: bare controls, blanks and octets beyond ASCII,
    /// and a percent sign without two digits.
    package static func decode(_ text: some Collection<UInt8>) throws(BackendAPIError) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(text.count)
        var octets = text.makeIterator()
        while let octet = octets.next() {
            switch octet {
            case UInt8(ascii: "+"): decoded.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = value(of: octets.next()), let low = value(of: octets.next()) else {
                    throw .malformedForm
                }
                decoded.append(high << 4 | low)
            case 0x21...0x7E: decoded.append(octet)
            default: throw .malformedForm
            }
        }
        return decoded
    }

    package static func encode(_ octets: some Sequence<UInt8>, into form: inout [UInt8]) {
        let digits = Array("0123456789ABCDEF".utf8)
        for octet in octets {
            switch octet {
            case UInt8(ascii: " "): form.append(UInt8(ascii: "+"))
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "*"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"):
                form.append(octet)
            default: form += [UInt8(ascii: "%"), digits[Int(octet >> 4)], digits[Int(octet & 0x0F)]]
            }
        }
    }

    private static func value(of digit: UInt8?) -> UInt8? {
        switch digit {
        case .some(let digit) where (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit): digit - 0x30
        case .some(let digit) where (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(digit | 0x20):
            (digit | 0x20) - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
