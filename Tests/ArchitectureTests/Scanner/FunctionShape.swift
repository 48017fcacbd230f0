/// The measures of one function, initialiser, subscript or computed property.
struct FunctionShape: Hashable {
    var name: String
    var line: Int
    var parameterCount: Int
    /// Lines between the braces of the body that hold code.
    var bodyLineCount: Int
    /// The deepest brace inside the body: 0 for a body without one.
    var nesting: Int
    /// Whether the body only assigns its parameters to the members of the same name.
    var isMemberwise: Bool

    /// Every function with a body, in the order of their beginnings.
    static func functions(in code: String) -> [FunctionShape] {
        let lines = CodeLines(code).all.map { String($0.text) }
        let tokens = SwiftToken.tokens(of: code)
        return tokens.indices.compactMap { function(at: $0, in: tokens, lines: lines) }
    }

    private static let introducers: Set<String> = ["func", "init", "deinit", "subscript", "var"]

    private static func function(at start: Int, in tokens: [SwiftToken], lines: [String]) -> FunctionShape? {
        let introducer = tokens[start].text
        guard introducers.contains(introducer), !isReference(at: start, in: tokens) else { return nil }
        guard let header = FunctionHeader(tokens: tokens, start: start), let open = header.body else { return nil }
        var depth = 0
        var deepest = 0
        for index in open..<tokens.count {
            if tokens[index].text == "{" {
                depth += 1
                deepest = max(deepest, depth)
            }
            if tokens[index].text == "}" { depth -= 1 }
            guard depth == 0 else { continue }
            let body = lines[tokens[open].line..<max(tokens[open].line, tokens[index].line - 1)]
                .filter { $0.utf8.contains { $0 != UInt8(ascii: " ") } }
            return FunctionShape(
                name: introducer == "func" || introducer == "var" ? tokens[start + 1].text : introducer,
                line: tokens[start].line, parameterCount: header.parameterCount, bodyLineCount: body.count,
                nesting: deepest - 1,
                isMemberwise: introducer == "init" && body.allSatisfy { isAssignment($0.trimmingPrefix { $0 == " " }) })
        }
        return nil
    }

    /// Whether the word is used (`self.init(...)`, `.subscript`) rather than declared.
    private static func isReference(at index: Int, in tokens: [SwiftToken]) -> Bool {
        index > 0 && tokens[index - 1].text == "."
    }

    /// Whether a line reads `self.name = name` or `name = value`.
    private static func isAssignment(_ line: Substring) -> Bool {
        line.wholeMatch(of: /(self\.)?\w+ = [\w.]+( \?\? [\w.\[\]"]+)?/) != nil
    }
}
