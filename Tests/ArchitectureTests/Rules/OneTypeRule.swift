/// One top-level type in a file, and the file has its name; `Type+Subject.swift` holds extensions.
enum OneTypeRule {
    static func violations(in file: SourceFile) -> [Violation] {
        let types = TypeDeclaration.topLevel(in: file.code)
        guard file.name != "main" else { return [] }
        if file.name.contains("+") {
            return types.map { Violation(file.path, $0.line, "\($0.name) is declared in a file for extensions") }
        }
        let others = types.filter { $0.name != file.name }
        return others.map { Violation(file.path, $0.line, "\($0.name) belongs into a file of its own name") }
    }
}
