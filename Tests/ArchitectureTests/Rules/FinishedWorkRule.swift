/// What is in the tree is finished: no notes to oneself, no placeholders, no code in comments.
enum FinishedWorkRule {
    private static let notes = ["TODO", "FIXME", "XXX", "HACK"]

    static func violations(in file: SourceFile) -> [Violation] {
        file.comments.flatMap { comment -> [Violation] in
            var found: [String] = []
            if notes.contains(where: { comment.text.contains($0) }) { found.append("a note to oneself") }
            if comment.text.contains(/^\/\/+ *[Pp]laceholder\b/) { found.append("a placeholder") }
            if comment.text.contains("not implemented") { found.append("unfinished work") }
            if isCode(comment.text) { found.append("code in a comment") }
            return found.map { Violation(file.path, comment.line, $0) }
        }
    }

    /// Whether an ordinary comment reads like a statement; documentation may hold examples.
    private static func isCode(_ comment: String) -> Bool {
        guard !comment.hasPrefix("///") else { return false }
        return comment.contains(/^\/\/ *((let|var) \w+( *[:=])|func \w+\(|import \w+$|return \w+$|\}$|if .*\{$)/)
    }
}
