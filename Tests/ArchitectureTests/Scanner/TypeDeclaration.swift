import Foundation

/// A type declared at the top level of a file, visible outside it.
struct TypeDeclaration: Hashable {
    var name: String
    var line: Int
    var isPublic = false

    /// The words of which one introduces a type.
    private static let introducers = ["struct", "class", "enum", "actor", "protocol"]

    /// The top-level types of code; private ones and extensions do not count.
    static func topLevel(in code: String) -> [TypeDeclaration] {
        let open = linesOutside(code)
        let outside = CodeLines(code).lines(naming: introducers).filter { open.contains($0.number) }
        guard !outside.isEmpty else { return [] }
        let pattern = /^(?<prefix>.*?)\b(?:struct|class|enum|actor|protocol)\s+(?<name>\w+)/.wordBoundaryKind(.simple)
        return outside.compactMap { number, line in
            guard let match = line.prefixMatch(of: pattern) else { return nil }
            let prefix = match.prefix
            let isDeclaration = !prefix.contains("import") && !prefix.contains("private") && !prefix.contains("{")
            guard isDeclaration else { return nil }
            let isPublic = prefix.contains("public ") || prefix.contains("open ")
            return TypeDeclaration(name: String(match.name), line: number, isPublic: isPublic)
        }
    }

    /// The numbers of the lines that begin outside all braces and parentheses.
    private static func linesOutside(_ code: String) -> Set<Int> {
        code.withCString { start in
            var outside: Set<Int> = [1]
            var (depth, line, rest) = (0, 1, start)
            while let mark = strpbrk(rest, "{}()\n") {
                switch UInt8(bitPattern: mark.pointee) {
                case UInt8(ascii: "{"), UInt8(ascii: "("): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: ")"): depth -= 1
                default:
                    line += 1
                    if depth == 0 { outside.insert(line) }
                }
                rest = UnsafePointer(mark) + 1
            }
            return outside
        }
    }
}
