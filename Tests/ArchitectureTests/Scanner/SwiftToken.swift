/// A word or a punctuation character of Swift code, with the line it stands on.
struct SwiftToken: Hashable {
    var text: String
    var line: Int

    /// The words and punctuation of code that ``SwiftLexer`` has freed of comments and literals; `->` is one token.
    ///
    /// A character outside ASCII belongs to a word.
    static func tokens(of code: String) -> [SwiftToken] {
        let octets = Array(code.utf8)
        var tokens: [SwiftToken] = []
        var (line, start) = (1, 0)
        for index in octets.indices where !isOfWord(octets[index]) {
            if start < index { tokens.append(SwiftToken(octets[start..<index], line: line)) }
            start = index + 1
            if octets[index] == UInt8(ascii: "\n") { line += 1 }
            guard octets[index] > UInt8(ascii: " ") else { continue }
            if octets[index] == UInt8(ascii: ">"), tokens.last?.text == "-" {
                tokens[tokens.count - 1].text = "->"
            } else {
                tokens.append(SwiftToken(octets[index...index], line: line))
            }
        }
        if start < octets.count { tokens.append(SwiftToken(octets[start...], line: line)) }
        return tokens
    }

    private static func isOfWord(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x80...0xFF: true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "`"): true
        default: false
        }
    }
}

extension SwiftToken {
    private init(_ octets: ArraySlice<UInt8>, line: Int) {
        self.init(text: String(decoding: octets, as: UTF8.self), line: line)
    }
}
