/// The budgets: how long a file and a function may be, how many parameters, how deep.
enum SizeRule {
    static let sourceFileLines = 400
    static let testFileLines = 600
    static let registryFileLines = 600
    static let functionLines = 40
    static let parameters = 6
    static let nesting = 4

    static func violations(in file: SourceFile) -> [Violation] {
        fileViolations(in: file) + FunctionShape.functions(in: file.code).flatMap { violations(of: $0, in: file) }
    }

    private static func fileViolations(in file: SourceFile) -> [Violation] {
        let isRegistry = file.components.dropLast().contains("Registry")
        let limit = file.isSource ? (isRegistry ? registryFileLines : sourceFileLines) : testFileLines
        guard file.lineCount > limit else { return [] }
        return [Violation(file.path, file.lineCount, "the file has \(file.lineCount) lines, more than \(limit)")]
    }

    private static func violations(of function: FunctionShape, in file: SourceFile) -> [Violation] {
        var found: [String] = []
        if function.bodyLineCount > functionLines {
            found.append("\(function.name) has \(function.bodyLineCount) lines, more than \(functionLines)")
        }
        if function.parameterCount > parameters, !function.isMemberwise {
            found.append("\(function.name) has \(function.parameterCount) parameters, more than \(parameters)")
        }
        if function.nesting > nesting {
            found.append("\(function.name) nests \(function.nesting) deep, more than \(nesting)")
        }
        return found.map { Violation(file.path, function.line, $0) }
    }
}
