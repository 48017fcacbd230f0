/// Nothing in `Sources` may trap on what comes from outside: no forced `try`, cast, unwrapping, no `fatalError`.
enum TrapRule {
    static func violations(in file: SourceFile) -> [Violation] {
        file.violations(of: "forced try", where: /\btry!/)
            + file.violations(of: "forced cast", where: /\bas!/)
            + file.violations(of: "fatalError", where: /\bfatalError\s*\(/)
            + forcedUnwrappings(in: file)
    }

    private static func forcedUnwrappings(in file: SourceFile) -> [Violation] {
        let otherMarks = /\b(try|as)!/.wordBoundaryKind(.simple)
        let mark = /[\w)\]}"`]!(?!=)/
        return file.codeLines.filter { $0.text.replacing(otherMarks, with: "").contains(mark) }.map {
            Violation(file.path, $0.number, "forced unwrapping")
        }
    }
}
