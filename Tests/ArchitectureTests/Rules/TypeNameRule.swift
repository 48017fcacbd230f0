/// One type name, one target: who meets a name knows which type it is, without looking at the imports.
///
/// Top-level types that other files can name; the stand-ins for Apple's frameworks have the names of what they stand for.
enum TypeNameRule {
    /// Names that stand in two targets; the list may only shrink.
    static let debts: Set<String> = [
        "DeregisterCommand",
         
        "RegisterCommand", "SignCommand",
    ]

    /// The declarations of a name that stands in two targets and is none of the debts.
    static func violations(in files: [SourceFile], debts: Set<String>) -> [Violation] {
        let targets = targetsByName(in: files)
        return files.filter(isJudged).flatMap { file in
            TypeDeclaration.topLevel(in: file.code).compactMap { type -> Violation? in
                let others = (targets[type.name] ?? []).subtracting([file.target]).sorted()
                guard !others.isEmpty, !debts.contains(type.name) else { return nil }
                let list = others.joined(separator: ", ")
                return Violation(file.path, type.line, "the name \(type.name) stands in \(list) too")
            }
        }
    }

    /// Debts whose name stands in one target or in none.
    static func paidDebts(in files: [SourceFile], debts: Set<String>) -> [String] {
        let targets = targetsByName(in: files)
        return debts.filter { (targets[$0] ?? []).count < 2 }.sorted()
    }

    private static func targetsByName(in files: [SourceFile]) -> [String: Set<String>] {
        var targets: [String: Set<String>] = [:]
        for file in files where isJudged(file) {
            for type in TypeDeclaration.topLevel(in: file.code) {
                targets[type.name, default: []].insert(file.target)
            }
        }
        return targets
    }

    private static func isJudged(_ file: SourceFile) -> Bool {
        file.isSource && !file.path.hasPrefix("Sources/\(Wing.appleStubs.rawValue)/")
    }
}
