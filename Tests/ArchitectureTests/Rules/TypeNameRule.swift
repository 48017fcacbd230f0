/// One type name, one target: who meets a name knows which type it is, without looking at the imports.
///
/// Top-level types that other files can name; the stand-ins for Apple's frameworks have the names of what they stand for.
enum TypeNameRule {
    /// The declarations of a name that stands in two targets.
    static func violations(in files: [SourceFile]) -> [Violation] {
        let targets = targetsByName(in: files)
        return files.filter(isJudged).flatMap { file in
            file.types.compactMap { type -> Violation? in
                let others = (targets[type.name] ?? []).subtracting([file.target]).sorted()
                guard !others.isEmpty else { return nil }
                let list = others.joined(separator: ", ")
                return Violation(file.path, type.line, "the name \(type.name) stands in \(list) too")
            }
        }
    }

    private static func targetsByName(in files: [SourceFile]) -> [String: Set<String>] {
        var targets: [String: Set<String>] = [:]
        for file in files where isJudged(file) {
            for type in file.types {
                targets[type.name, default: []].insert(file.target)
            }
        }
        return targets
    }

    private static func isJudged(_ file: SourceFile) -> Bool {
        file.isSource && !file.path.hasPrefix("Sources/\(Wing.appleStubs.rawValue)/")
    }
}
