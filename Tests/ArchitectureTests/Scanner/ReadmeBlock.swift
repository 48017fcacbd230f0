/// A block of example code, free of the indentation it has where it stands.
struct ReadmeBlock {
    /// The lines without trailing blanks, and without empty lines at both ends.
    let lines: [String]

    init(_ text: Substring) {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        while lines.last?.allSatisfy(\.isWhitespace) == true { lines.removeLast() }
        let filled = lines.filter { !$0.allSatisfy(\.isWhitespace) }
        let indentation = filled.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        self.lines = lines.map { String($0.dropFirst(indentation)) }
    }

    /// The lines that hold code.
    var filledLines: [String] { lines.filter { !$0.allSatisfy(\.isWhitespace) } }
}
