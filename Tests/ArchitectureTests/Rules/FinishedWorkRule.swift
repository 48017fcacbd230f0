/// What is in the tree is finished: no notes to oneself, no placeholders, no code in comments.
enum FinishedWorkRule {
    private static let leastRepeatedCharacters = 20
    private static let notes = ["TODO", "FIXME", "XXX", "HACK"]

    static func violations(in file: SourceFile) -> [Violation] {
        repetitions(in: file)
            + file.comments.flatMap { comment -> [Violation] in
                var found: [String] = []
                if CodeLines.has(notes, in: comment.text) { found.append("a note to oneself") }
                if isPlaceholder(comment.text) { found.append("a placeholder") }
                if CodeLines.has(["not implemented"], in: comment.text) { found.append("unfinished work") }
                if isCode(comment.text) { found.append("code in a comment") }
                return found.map { Violation(file.path, comment.line, $0) }
            }
    }

    /// Lines of a comment of which one begins as the whole other does: one was left over when they were broken anew.
    private static func repetitions(in file: SourceFile) -> [Violation] {
        zip(file.comments, file.comments.dropFirst()).compactMap { first, second in
            let isShort = min(first.text.count, second.text.count) < leastRepeatedCharacters
            guard second.line == first.line + 1, !isShort,
                first.text.hasPrefix(second.text) || second.text.hasPrefix(first.text)
            else { return nil }
            return Violation(file.path, second.line, "the comment says the same twice")
        }
    }

    private static func isPlaceholder(_ comment: String) -> Bool {
        CodeLines.has(["laceholder"], in: comment) && comment.contains(/^\/\/+ *[Pp]laceholder\b/)
    }

    /// Whether an ordinary comment reads like a statement; documentation may hold examples.
    private static func isCode(_ comment: String) -> Bool {
        guard !comment.hasPrefix("///") else { return false }
        return comment.contains(/^\/\/ *((let|var) \w+( *[:=])|func \w+\(|import \w+$|return \w+$|\}$|if .*\{$)/)
    }
}
