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
            switch bytes[index] {
            // Nearly all bytes, none of which means anything.
            case let byte where byte > Mark.slash || byte == Mark.blank: keep()
            case Mark.slash where isNext(Mark.slash): readLineComment()
            case Mark.slash where isNext(Mark.star): readBlockComment()
            case Mark.numberSign, Mark.quote:
                if let marks = literalStart() { readLiteral(numberSigns: marks) } else { keep() }
            case Mark.opening:
                depth += 1
                keep()
            case Mark.closing:
                depth -= 1
                if untilClosingParenthesis && depth < 0 { return }
                keep()
            default: keep()
            }
        }
    }

    private mutating func readLineComment() {
        let start = index
        let startLine = line
        while index < bytes.count && bytes[index] != Mark.lineBreak { index += 1 }
        output.append(contentsOf: repeatElement(Mark.blank, count: index - start))
        comments.append(Comment(line: startLine, text: String(decoding: bytes[start..<index], as: UTF8.self)))
    }

    private mutating func readBlockComment() {
        var depth = 0
        let start = index
        let startLine = line
        repeat {
            if bytes[index] == Mark.slash, isNext(Mark.star) {
                depth += 1
                blank(2)
            } else if bytes[index] == Mark.star, isNext(Mark.slash) {
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
        while end < bytes.count && bytes[end] == Mark.numberSign { end += 1 }
        return end < bytes.count && bytes[end] == Mark.quote ? end - index : nil
    }

    private mutating func readLiteral(numberSigns: Int) {
        for _ in 0..<numberSigns { keep() }
        let signs = [UInt8](repeating: Mark.numberSign, count: numberSigns)
        let isLong = isNext(Mark.quote) && index + 2 < bytes.count && bytes[index + 2] == Mark.quote
        let quotes = [UInt8](repeating: Mark.quote, count: isLong ? 3 : 1)
        let (end, escape) = (quotes + signs, [Mark.backslash] + signs)
        for _ in quotes { keep() }
        while index < bytes.count && !(bytes[index] == Mark.quote && starts(end)) {
            guard bytes[index] == Mark.backslash, starts(escape) else {
                blank()
                continue
            }
            blank(1 + numberSigns)
            guard index < bytes.count, bytes[index] == Mark.opening else {
                blank()
                continue
            }
            keep()
            readCode(untilClosingParenthesis: true)
            if index < bytes.count { keep() }
        }
        for _ in end where index < bytes.count { keep() }
    }

    private func starts(_ marks: [UInt8]) -> Bool {
        bytes[index...].starts(with: marks)
    }

    /// Whether the byte behind the next one is `mark`.
    private func isNext(_ mark: UInt8) -> Bool {
        index + 1 < bytes.count && bytes[index + 1] == mark
    }

    private mutating func keep() {
        let byte = bytes[index]
        if byte == Mark.lineBreak { line += 1 }
        output.append(byte)
        index += 1
    }

    private mutating func blank(_ count: Int = 1) {
        for _ in 0..<count where index < bytes.count {
            let isLineBreak = bytes[index] == Mark.lineBreak
            if isLineBreak { line += 1 }
            output.append(isLineBreak ? Mark.lineBreak : Mark.blank)
            index += 1
        }
    }

    /// The bytes that mean something.
    private enum Mark {
        static let slash = UInt8(ascii: "/")
        static let star = UInt8(ascii: "*")
        static let numberSign = UInt8(ascii: "#")
        static let quote = UInt8(ascii: "\"")
        static let backslash = UInt8(ascii: "\\")
        static let opening = UInt8(ascii: "(")
        static let closing = UInt8(ascii: ")")
        static let lineBreak = UInt8(ascii: "\n")
        static let blank = UInt8(ascii: " ")
    }
}
