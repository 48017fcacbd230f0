import ServerCore

/// Value that a template is given.
///
/// Texts are escaped here, by Unicode scalars, and the templates insert them as they are: no tag of a template, however it is
/// written, can insert a text unescaped. Mustache's own escaping goes by characters, and passes a quotation mark over that
/// is followed by a combining mark.
enum PageValue: Sendable, Hashable {
    case text(String)
    case flag(Bool)
    case list([[String: PageValue]])
    /// Texts that are escaped already, see ``escaped(_:)``.
    case escapedTexts([String: String])

    /// A text; nothing for nil or an empty one, so that its section is left out.
    init(_ text: String?) {
        if let text, !text.isEmpty {
            self = .text(text)
        } else {
            self = .flag(false)
        }
    }

    /// Form in which Mustache reads it.
    var escaped: Any {
        switch self {
        case .text(let text): Self.escaped(text)
        case .flag(let flag): flag
        case .list(let entries): entries.map { $0.mapValues(\.escaped) as Any }
        case .escapedTexts(let texts): texts
        }
    }

    /// Text for HTML between tags and in quoted attributes (HTML, 13.3).
    ///
    /// Controls other than line breaks and tabs become U+FFFD, since a document may not hold them.
    static func escaped(_ text: String) -> String {
        guard !text.utf8.allSatisfy(isPlain) else { return text }
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
            case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
            case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
            case "\"": escaped.append(contentsOf: "&quot;".unicodeScalars)
            case "'": escaped.append(contentsOf: "&#39;".unicodeScalars)
            case "\n", "\t": escaped.append(scalar)
            case _ where scalar.properties.generalCategory == .control: escaped.append("\u{FFFD}")
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }

    /// Whether an octet stands for itself in HTML: the visible characters of ASCII and the blank, but for those with a meaning.
    private static func isPlain(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"): false
        default: (0x20...0x7E).contains(octet)
        }
    }
}

extension String {
    /// The text as a name of one line: of visible characters, and at most `limit` scalars.
    func asName(atMost limit: Int = 128) -> String { ShownText.replacing(String(unicodeScalars.prefix(limit))) }
}
