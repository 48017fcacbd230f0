/// Calls that trap on what comes from outside: forced `try`, cast and unwrapping, `fatalError`, and those whose bounds
/// or keys that no code checks.
///
/// Of the calls with bounds it finds those for which there is another one that does not trap: `path[...slash]` behind a
/// search for the slash, `prefix(_:)`, `Dictionary(_:uniquingKeysWith:)`.
enum TrapRule {
    static func violations(in file: SourceFile) -> [Violation] {
        file.violations(of: "forced try", naming: "try!", where: /\btry!/)
            + file.violations(of: "forced cast", naming: "as!", where: /\bas!/)
            + file.violations(of: "fatalError", naming: "fatalError", where: /\bfatalError\s*\(/)
            + file.violations(of: "unsafelyUnwrapped", naming: "unsafelyUnwrapped", where: /\bunsafelyUnwrapped\b/)
            + file.violations(
                of: "prefix or suffix with an unchecked index", naming: "prefix", "suffix", where: uncheckedIndex)
            + file.violations(
                of: "a dictionary that traps on a repeated key", naming: "uniqueKeysWithValues",
                where: /\buniqueKeysWithValues\b/)
            + file.violations(
                of: "a reference that traps when its object is gone", naming: "unowned", where: /\bunowned\b/)
            + forcedUnwrappings(in: file)
    }

    /// `prefix(through:)` traps on the end of its own collection; one request without a path ended the server with it.
    private static var uncheckedIndex: Regex<Substring> {
        /\b(?:prefix\s*\(\s*(?:through|upTo)|suffix\s*\(\s*from)\s*:/
    }

    private static func forcedUnwrappings(in file: SourceFile) -> [Violation] {
        let marked = file.lines.lines(naming: ["!"])
        guard !marked.isEmpty else { return [] }
        let otherMarks = /\b(try|as)!/.wordBoundaryKind(.simple)
        let mark = /[\w)\]}"`]!(?!=)/
        return marked.filter { $0.text.replacing(otherMarks, with: "").contains(mark) }.map {
            Violation(file.path, $0.number, "forced unwrapping")
        }
    }
}
