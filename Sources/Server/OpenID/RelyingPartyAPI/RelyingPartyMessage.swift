import StrictJSON

/// `message` of an approval as the phone shows and signs it: plain text.
///
/// A text in `<html></html>` may have the tags `b`, `br`, `em`, `i`, `strong` and `u` without attributes. They are taken
/// out, and `<br>` is a line break. Anything else that a phone could take for a tag is refused.
enum RelyingPartyMessage {
    private static let limit = 4_096
    private static let tags: Set = ["b", "em", "i", "strong", "u"]

    /// The text of `message`: 1 to 4,096 octets of UTF-8; nil for an approval without one.
    static func text(in members: JSONObject) throws(JSONTypeError) -> String? {
        let isPrompt = try members.optional("prompt", flag) ?? false
        guard let given = try members.optionalString("message") else {
            if isPrompt { throw JSONTypeError(path: ["message"], .missing) }
            return nil
        }
        guard given.utf8.count <= limit, let text = plain(given), !text.utf8.isEmpty, !hasMarkup(text) else {
            throw JSONTypeError(path: ["message"], .invalidForm)
        }
        return text
    }

    /// `prompt`, as a boolean or, as in published examples, as the text of one.
    private static func flag(_ value: JSONValue) throws(JSONTypeError) -> Bool {
        switch value {
        case .string("true"): true
        case .string("false"): false
        default: try value.asBool()
        }
    }

    /// The text without the tags that are allowed in `<html></html>`; nil when it has another one there.
    private static func plain(_ text: String) -> String? {
        let (start, end) = ("<html>", "</html>")
        guard text.hasPrefix(start), text.hasSuffix(end), text.utf8.count >= start.utf8.count + end.utf8.count else {
            return text
        }
        var rest = text.dropFirst(start.count).dropLast(end.count)
        var plain = ""
        while let open = rest.firstIndex(of: "<") {
            plain += rest[..<open]
            rest = rest[open...].dropFirst()
            guard let close = rest.firstIndex(of: ">") else { return nil }
            let tag = rest[..<close]
            if tag == "br" || tag == "br/" {
                plain += "\n"
            } else if !tags.contains(String(tag.hasPrefix("/") ? tag.dropFirst() : tag)) {
                return nil
            }
            rest = rest[close...].dropFirst()
        }
        return plain + rest
    }

    /// Whether a phone could take a part of the text for a tag.
    private static func hasMarkup(_ text: String) -> Bool {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        return zip(text.utf8, text.utf8.dropFirst()).contains { first, second in
            guard first == UInt8(ascii: "<") else { return false }
            return "/!?".utf8.contains(second) || letters.contains(second | 0x20)
        }
    }
}
