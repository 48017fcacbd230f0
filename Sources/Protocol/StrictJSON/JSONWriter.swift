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

    /// As ``write(_:escapesMarkup:)``, as a string.
    package static func text(_ value: JSONValue, escapesMarkup: Bool = false) -> String {
        String(decoding: write(value, escapesMarkup: escapesMarkup), as: UTF8.self)
    }

    private init(escapesMarkup: Bool) {
        self.escapesMarkup = escapesMarkup
    }

    private mutating func append(_ value: JSONValue) {
        switch value {
        case .null: raw("null")
        case .bool(let value): raw(value ? "true" : "false")
        case .number(let number): raw(number.text)
        case .string(let text): append(text)
        case .array(let elements):
            raw("[")
            for (index, element) in elements.enumerated() {
                if index > 0 { raw(",") }
                append(element)
            }
            raw("]")
        case .object(let object):
            raw("{")
            for (index, member) in object.members.enumerated() {
                if index > 0 { raw(",") }
                append(member.name)
                raw(":")
                append(member.value)
            }
            raw("}")
        }
    }

    private mutating func append(_ text: String) {
        var text = text
        raw("\"")
        text.withUTF8 { octets in
            var written = 0
            for position in octets.indices where needsEscape(octets[position]) {
                guard position >= written, let escape = escape(at: position, of: octets) else { continue }
                bytes.append(contentsOf: octets[written..<position])
                raw(escape.text)
                written = position + escape.byteCount
            }
            bytes.append(contentsOf: octets[written...])
        }
        raw("\"")
    }

    /// Whether a byte may begin something that is written as an escape.
    private func needsEscape(_ octet: UInt8) -> Bool {
        switch octet {
        case 0..<0x20, UInt8(ascii: "\""), UInt8(ascii: "\\"): true
        case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"), 0xE2: escapesMarkup
        default: false
        }
    }

    /// What the character at `position` is written as, and how many bytes it has; nil when it stands for itself.
    private func escape(
        at position: Int, of octets: UnsafeBufferPointer<UInt8>
    ) -> (text: String, byteCount: Int)? {
        switch octets[position] {
        case UInt8(ascii: "\""): return ("\\\"", 1)
        case UInt8(ascii: "\\"): return ("\\\\", 1)
        case UInt8(ascii: "\n"): return ("\\n", 1)
        case UInt8(ascii: "\r"): return ("\\r", 1)
        case UInt8(ascii: "\t"): return ("\\t", 1)
        case 0xE2:
            // U+2028 and U+2029 are E2 80 A8 and E2 80 A9.
            guard octets[position + 1] == 0x80 else { return nil }
            switch octets[position + 2] {
            case 0xA8: return ("\\u2028", 3)
            case 0xA9: return ("\\u2029", 3)
            default: return nil
            }
        case let octet:
            let digits = String(octet, radix: 16)
            return ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits, 1)
        }
    }

    private mutating func raw(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }
}
