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
        raw("\"")
        for scalar in text.unicodeScalars { append(scalar) }
        raw("\"")
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "\"": raw("\\\"")
        case "\\": raw("\\\\")
        case "\n": raw("\\n")
        case "\r": raw("\\r")
        case "\t": raw("\\t")
        case _ where scalar.value < 0x20: escape(scalar)
        case "<", ">", "&", "\u{2028}", "\u{2029}":
            if escapesMarkup { escape(scalar) } else { raw(String(scalar)) }
        default: raw(String(scalar))
        }
    }

    private mutating func escape(_ scalar: Unicode.Scalar) {
        let digits = String(scalar.value, radix: 16)
        raw("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
    }

    private mutating func raw(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }
}
