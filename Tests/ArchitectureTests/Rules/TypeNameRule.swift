/// One type name, one target: who meets a name knows which type it is, without looking at the imports.
///
/// It judges top-level types that other files can name.
enum TypeNameRule {
    /// The declarations of a name that stands in two targets.
    static func violations(in files: [SourceFile]) -> [Violation] {
        let targets = targetsByName(in: files)
        return files.filter(\.isSource).flatMap { file in
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
        for file in files where file.isSource {
            for type in file.types {
                targets[type.name, default: []].insert(file.target)
            }
        }
        return targets
    }
}
