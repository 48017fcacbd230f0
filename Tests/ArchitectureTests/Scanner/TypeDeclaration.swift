/// A type declared at the top level of a file, visible outside it.
struct TypeDeclaration: Hashable {
    var name: String
    var line: Int

    /// The top-level types of code; private ones and extensions do not count.
    static func topLevel(in code: String) -> [TypeDeclaration] {
        let pattern = /^(?<prefix>.*?)\b(?:struct|class|enum|actor|protocol)\s+(?<name>\w+)/.wordBoundaryKind(.simple)
        var depth = 0
        var found: [TypeDeclaration] = []
        for (index, line) in code.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if depth == 0, let match = line.prefixMatch(of: pattern) {
                let prefix = match.prefix
                let isDeclaration = !prefix.contains("import") && !prefix.contains("private") && !prefix.contains("{")
                if isDeclaration { found.append(TypeDeclaration(name: String(match.name), line: index + 1)) }
            }
            depth += line.count { $0 == "{" || $0 == "(" } - line.count { $0 == "}" || $0 == ")" }
        }
        return found
    }
}
