/// Separates the code of a Swift source from its comments and literals, without understanding it further.
///
/// In ``code`` every character of a comment and of a literal's text is a blank, so that rules see neither; line breaks,
/// quotation marks and interpolated expressions stay.
struct SwiftLexer {
    /// A comment with the line it begins on.
    struct Comment: Hashable {
        var line: Int
        var text: String
    }

    private let bytes: [UInt8]
    private var index = 0
    private var line = 1
    private var output: [UInt8] = []
    private var comments: [Comment] = []

    static func separate(_ text: String) -> (code: String, comments: [Comment]) {
        var lexer = SwiftLexer(bytes: Array(text.utf8))
        lexer.readCode(untilClosingParenthesis: false)
        return (String(decoding: lexer.output, as: UTF8.self), lexer.comments)
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
        output.reserveCapacity(bytes.count)
    }

    private mutating func readCode(untilClosingParenthesis: Bool) {
        var depth = 0
        while index < bytes.count {
            if starts("//") {
                readLineComment()
            } else if starts("/*") {
                readBlockComment()
            } else if let marks = literalStart() {
                readLiteral(numberSigns: marks)
            } else {
                if bytes[index] == UInt8(ascii: "(") { depth += 1 }
                if bytes[index] == UInt8(ascii: ")") { depth -= 1 }
                if untilClosingParenthesis && depth < 0 { return }
                keep()
            }
        }
    }

    private mutating func readLineComment() {
        let start = index
        let startLine = line
        while index < bytes.count && bytes[index] != UInt8(ascii: "\n") { blank() }
        comments.append(Comment(line: startLine, text: String(decoding: bytes[start..<index], as: UTF8.self)))
    }

    private mutating func readBlockComment() {
        var depth = 0
        let start = index
        let startLine = line
        repeat {
            if starts("/*") {
                depth += 1
                blank(2)
            } else if starts("*/") {
                depth -= 1
                blank(2)
            } else {
                blank()
            }
        } while depth > 0 && index < bytes.count
        comments.append(Comment(line: startLine, text: String(decoding: bytes[start..<index], as: UTF8.self)))
    }

    /// The number of `#` before the quotation mark of a literal that begins here.
    private func literalStart() -> Int? {
        var end = index
        while end < bytes.count && bytes[end] == UInt8(ascii: "#") { end += 1 }
        return end < bytes.count && bytes[end] == UInt8(ascii: "\"") ? end - index : nil
    }

    private mutating func readLiteral(numberSigns: Int) {
        let signs = String(repeating: "#", count: numberSigns)
        for _ in 0..<numberSigns { keep() }
        let quotes = starts("\"\"\"") ? "\"\"\"" : "\""
        for _ in quotes.utf8 { keep() }
        while index < bytes.count && !starts(quotes + signs) {
            if starts("\\" + signs + "(") {
                blank(1 + numberSigns)
                keep()
                readCode(untilClosingParenthesis: true)
                if index < bytes.count { keep() }
            } else if starts("\\" + signs) {
                blank(2 + numberSigns)
            } else {
                blank()
            }
        }
        for _ in (quotes + signs).utf8 where index < bytes.count { keep() }
    }

    private func starts(_ text: String) -> Bool {
        bytes[index...].starts(with: text.utf8)
    }

    private mutating func keep() {
        if bytes[index] == UInt8(ascii: "\n") { line += 1 }
        output.append(bytes[index])
        index += 1
    }

    private mutating func blank(_ count: Int = 1) {
        for _ in 0..<count where index < bytes.count {
            let isLineBreak = bytes[index] == UInt8(ascii: "\n")
            if isLineBreak { line += 1 }
            output.append(isLineBreak ? bytes[index] : UInt8(ascii: " "))
            index += 1
        }
    }
}
