/// References of comments that a reader can follow: to a public standard, a file of the repository, or a test.
///
/// A documentation comment begins with what the thing is, a noun phrase, not with a question.
enum ReferenceRule {
    /// `known` holds the names of the files of the repository, without their folders.
    static func violations(in file: SourceFile, known: Set<String>) -> [Violation] {
        unresolved(in: file, known: known) + questions(in: file)
    }

    private static func unresolved(in file: SourceFile, known: Set<String>) -> [Violation] {
        file.comments.flatMap { comment in
            (elsewhere(in: comment.text) + pages(in: comment.text, known: known)).map {
                Violation(file.path, comment.line, "a reference to \($0), which is not in the repository")
            }
        }
    }

    /// Words that point to documents, tables and lists that readers of the sources do not have.
    private static func elsewhere(in text: String) -> [String] {
        patterns.filter { CodeLines.has($0.words, in: text) }.flatMap { _, pattern in
            text.matches(of: pattern().wordBoundaryKind(.simple)).map { String($0.output) }
        }
    }

    /// Expressions, made when they are asked for, each with words of which one stands in whatever it matches.
    private static var patterns: [(words: [String], pattern: () -> Regex<Substring>)] {
        [
            (
                ["backend-http-api", "sdk-api", "fido-uaf", "secure-storage.md", "platform-notes", "style-examples"],
                { /\b(?:backend-http-api|sdk-api|fido-uaf|secure-storage\.md|platform-notes|style-examples)\b/ }
            ),
            (["heck"], { /\b[Cc]hecks? [0-9]+\b/ }),
            (["SDK", "STO", "SRV", "S-", "D-", "O-"], { /\b(?:SDK|STO|SRV|[SDO]-[CHMLAJ])-?[0-9]+\b/ }),
            (
                ["decisions ", "assurance ", "findings ", "structure "],
                { /\b(?:decisions|assurance|findings|structure) [0-9]/ }
            ),
        ]
    }

    /// Names of Markdown pages that no file has.
    private static func pages(in text: String, known: Set<String>) -> [String] {
        guard CodeLines.has([".md"], in: text) else { return [] }
        let pattern = /[\w.\/-]+\.md\b/.wordBoundaryKind(.simple)
        return text.matches(of: pattern).map { String($0.output) }.filter { page in
            !known.contains(page.split(separator: "/").last.map(String.init) ?? page)
        }
    }

    /// First lines of documentation comments that ask instead of saying what the thing is.
    private static func questions(in file: SourceFile) -> [Violation] {
        let question = /\/\/\/ (?:What|Who|How|Where|Why|When)\b/.wordBoundaryKind(.simple)
        let documented = Set(file.comments.filter { $0.text.hasPrefix("///") }.map(\.line))
        return file.comments.filter { comment in
            comment.text.hasPrefix("/// W") || comment.text.hasPrefix("/// H")
        }.filter { comment in
            !documented.contains(comment.line - 1) && comment.text.prefixMatch(of: question) != nil
        }.map { Violation(file.path, $0.line, "a documentation comment that begins with a question") }
    }
}
