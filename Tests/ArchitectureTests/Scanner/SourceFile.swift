/// A Swift file of the package, separated into code and comments.
struct SourceFile {
    /// The path inside the package, for example `Sources/Protocol/UAF/TLV/TLVTag.swift`.
    let path: String
    let text: String
    let code: String
    let comments: [SwiftLexer.Comment]

    init(path: String, text: String) {
        self.path = path
        self.text = text
        (code, comments) = SwiftLexer.separate(text)
    }

    /// The folder names and the file's name.
    var components: [String] { path.split(separator: "/").map(String.init) }
    /// The name without folder and `.swift`.
    var name: String { String((components.last ?? path).dropLast(".swift".count)) }
    var isSource: Bool { path.hasPrefix("Sources/") }
    /// The target of a file under `Sources/<wing>/<target>` or `Tests/<target>`.
    var target: String { components[min(isSource ? 2 : 1, components.count - 1)] }
    var lineCount: Int { text.split(separator: "\n", omittingEmptySubsequences: false).count - 1 }

    /// The lines of the code, each with its number.
    var codeLines: [(number: Int, text: Substring)] {
        code.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map { ($0.offset + 1, $0.element) }
    }

    /// A violation of `rule` for each line of code in which `pattern` occurs.
    func violations<Output>(of rule: String, where pattern: Regex<Output>) -> [Violation] {
        lines(with: pattern).map { Violation(path, $0.number, rule) }
    }

    /// The lines of code in which `pattern` occurs; `\b` in it stands between a word and any other character.
    func lines<Output>(with pattern: Regex<Output>) -> [(number: Int, text: Substring)] {
        let simple = pattern.wordBoundaryKind(.simple)
        return codeLines.filter { $0.text.contains(simple) }
    }
}
