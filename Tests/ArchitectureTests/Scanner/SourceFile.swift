/// A Swift file of the package, separated into code and comments.
struct SourceFile {
    /// The path inside the package, for example `Sources/Protocol/UAF/TLV/TLVTag.swift`.
    let path: String
    let text: String
    let code: String
    let comments: [SwiftLexer.Comment]
    /// The lines of the code.
    let lines: CodeLines
    /// The top-level types of the code.
    let types: [TypeDeclaration]
    /// The imports of the code.
    let imports: [ImportStatement]

    init(path: String, text: String) {
        self.path = path
        self.text = text
        (code, comments) = SwiftLexer.separate(text)
        lines = CodeLines(code)
        types = TypeDeclaration.topLevel(in: code)
        imports = ImportStatement.imports(in: code)
    }

    /// The folder names and the file's name.
    var components: [String] { path.split(separator: "/").map(String.init) }
    /// The name without folder and `.swift`.
    var name: String { String((components.last ?? path).dropLast(".swift".count)) }
    var isSource: Bool { path.hasPrefix("Sources/") }
    /// The target of a file under `Sources/<layer>/<target>` or `Tests/<target>`.
    var target: String { components[min(isSource ? 2 : 1, components.count - 1)] }
    var lineCount: Int { lines.count - 1 }

    /// A violation of `rule` for each line of code in which `pattern` occurs.
    ///
    /// In each such line stands one of `words`; the others are not looked at.
    func violations<Output>(
        of rule: String, naming words: String..., where pattern: @autoclosure () -> Regex<Output>
    ) -> [Violation] {
        lines(naming: words, with: pattern()).map { Violation(path, $0.number, rule) }
    }

    /// The lines of code with one of `words` in which `pattern` occurs; `\b` in it stands between a word and any other
    /// character.
    ///
    /// An expression is made where there are such lines only: it is read anew each time.
    func lines<Output>(naming words: [String], with pattern: @autoclosure () -> Regex<Output>) -> [CodeLines.Line] {
        let named = lines.lines(naming: words)
        guard !named.isEmpty else { return [] }
        let simple = pattern().wordBoundaryKind(.simple)
        return named.filter { $0.text.contains(simple) }
    }
}
