/// Writes JSON values as compact text: no white space, members in the order given, `/` not escaped.
package struct JSONWriter: Sendable {
    private var bytes: [UInt8] = []
    private let escapesMarkup: Bool

    /// The UTF-8 text of a value.
    ///
    /// With `escapesMarkup` the characters `<`, `>`, `&`, U+2028 and U+2029 are written as escapes, so that the text is
    /// harmless where a browser might take it for a page (error bodies).
    package static func write(_ value: JSONValue, escapesMarkup: Bool = false) -> [UInt8] {
        var writer = JSONWriter(escapesMarkup: escapesMarkup)
        writer.append(value)
        return writer.bytes
    }

    package static func text(_ value: JSONValue, escapesMarkup: Bool = false) -> String {
        String(decoding: write(value, escapesMarkup: escapesMarkup), as: UTF8.self)
    }

    private init(escapesMarkup: Bool) {
        self.escapesMarkup = escapesMarkup
        // Most messages fit, so that the text is not moved while it grows.
        bytes.reserveCapacity(1_024)
    }

    private mutating func append(_ value: JSONValue) {
        switch value {
        case .null: raw("null")
        case .bool(let value): raw(value ? "true" : "false")
        case .number(let number): raw(number.text)
        case .string(let text): append(text)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                append(element)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let object):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in object.members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                append(member.name)
                bytes.append(UInt8(ascii: ":"))
                append(member.value)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private mutating func append(_ text: String) {
        var text = text
        bytes.append(UInt8(ascii: "\""))
        text.withUTF8 { octets in
            var position = 0
            while true {
                let end = endOfRun(in: octets, from: position)
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: octets[position..<end]))
                guard end < octets.count else { break }
                position = end + appendEscape(at: end, of: octets)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private func endOfRun(in octets: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        let end = PlainRun(in: octets, from: start).end
        guard escapesMarkup else { return end }
        return octets[start..<end].firstIndex { Self.mayBeMarkup($0) } ?? end
    }

    /// Whether a byte is markup, or begins what may be.
    private static func mayBeMarkup(_ octet: UInt8) -> Bool {
        octet == UInt8(ascii: "<") || octet == UInt8(ascii: ">") || octet == UInt8(ascii: "&") || octet == 0xE2
    }

    /// Writes the character at `position` as an escape where it needs one; returns how many bytes it has.
    private mutating func appendEscape(at position: Int, of octets: UnsafeBufferPointer<UInt8>) -> Int {
        let octet = octets[position]
        switch octet {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            bytes.append(UInt8(ascii: "\\"))
            bytes.append(octet)
        case UInt8(ascii: "\n"): raw("\\n")
        case UInt8(ascii: "\r"): raw("\\r")
        case UInt8(ascii: "\t"): raw("\\t")
        case 0xE2:
            // U+2028 and U+2029 are E2 80 A8 and E2 80 A9.
            guard octets[position + 1] == 0x80, octets[position + 2] & 0xFE == 0xA8 else {
                bytes.append(octet)
                return 1
            }
            raw(octets[position + 2] == 0xA8 ? "\\u2028" : "\\u2029")
            return 3
        default:
            let digits = String(octet, radix: 16)
            raw("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
        }
        return 1
    }

    private mutating func raw(_ text: String) { bytes.append(contentsOf: text.utf8) }
}
