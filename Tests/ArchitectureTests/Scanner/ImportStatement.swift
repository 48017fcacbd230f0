/// One `import` of a source file.
struct ImportStatement: Hashable {
    var module: String
    var isPublic: Bool
    var line: Int

    /// The imports of code, with or without attribute and access level; for `import struct A.B` the module is `A`.
    static func imports(in code: String) -> [ImportStatement] {
        let named = CodeLines(code).lines(naming: ["import"])
        guard !named.isEmpty else { return [] }
        let pattern =
            /^\s*(?:@\w+(?:\(\w+\))?\s+)*(public |package |internal |fileprivate |private )?import\s+(?:struct |class |enum |func |protocol |typealias |var |let )?(\w+)/
        return named.compactMap { number, line in
            line.prefixMatch(of: pattern).map { match in
                ImportStatement(module: String(match.2), isPublic: match.1 == "public ", line: number)
            }
        }
    }
}
