/// What stands between the word that introduces a function and its body.
struct FunctionHeader {
    var parameterCount = 0
    /// The index of the brace that opens the body, or nil for a declaration without one.
    var body: Int?

    private static let declarations: Set<String> = [
        "func", "init", "deinit", "subscript", "var", "let", "case", "static", "struct", "class", "enum", "extension",
        "protocol", "actor", "associatedtype", "typealias", "mutating", "package", "public", "private", "@", "}", "if",
        "return", "for", "while", "guard", "switch", "try",
    ]

    /// Reads on from `start`; nil at the end of the text.
    init?(tokens: [SwiftToken], start: Int) {
        let isProperty = tokens[start].text == "var"
        var index = start + 1
        var hasParameters = isProperty
        while index < tokens.count {
            switch tokens[index].text {
            case "(":
                let (count, end) = FunctionHeader.list(in: tokens, from: index)
                if !hasParameters { parameterCount = count }
                hasParameters = true
                index = end
            case "{":
                body = index
                return
            case "=" where isProperty: return
            case let word where FunctionHeader.declarations.contains(word) && index > start + 1: return
            default: break
            }
            index += 1
        }
    }

    /// The number of elements of the list in parentheses that opens at `open`, and the index of its end.
    private static func list(in tokens: [SwiftToken], from open: Int) -> (count: Int, end: Int) {
        var depth = 0
        var commas = 0
        for index in open..<tokens.count {
            switch tokens[index].text {
            case "(", "[", "{", "<": depth += 1
            case ")", "]", "}", ">": depth -= 1
            case "," where depth == 1: commas += 1
            default: break
            }
            guard depth == 0 else { continue }
            let isEmpty = index == open + 1
            let hasTrailingComma = tokens[index - 1].text == ","
            return (isEmpty ? 0 : commas + (hasTrailingComma ? 0 : 1), index)
        }
        return (commas + 1, tokens.count)
    }
}
