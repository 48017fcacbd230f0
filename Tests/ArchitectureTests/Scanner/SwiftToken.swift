/// A word or a punctuation character of Swift code, with the line it stands on.
struct SwiftToken: Hashable {
    var text: String
    var line: Int

    /// The words and punctuation of code that ``SwiftLexer`` has freed of comments and literals; `->` is one token.
    static func tokens(of code: String) -> [SwiftToken] {
        var tokens: [SwiftToken] = []
        var word = ""
        for (number, line) in code.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            for character in line {
                if character.isLetter || character.isNumber || character == "_" || character == "`" {
                    word.append(character)
                    continue
                }
                flush(&word, line: number + 1, into: &tokens)
                guard !character.isWhitespace else { continue }
                if character == ">", tokens.last?.text == "-" {
                    tokens[tokens.count - 1].text = "->"
                } else {
                    tokens.append(SwiftToken(text: String(character), line: number + 1))
                }
            }
            flush(&word, line: number + 1, into: &tokens)
        }
        return tokens
    }

    private static func flush(_ word: inout String, line: Int, into tokens: inout [SwiftToken]) {
        guard !word.isEmpty else { return }
        tokens.append(SwiftToken(text: word, line: line))
        word = ""
    }
}
