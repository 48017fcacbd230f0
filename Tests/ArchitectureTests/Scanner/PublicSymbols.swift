/// Public declarations of a module, by their paths as DocC spells them: `Type/member(label:)`.
struct PublicSymbols {
    /// Public type at the top level of the module, with the line of its declaration.
    struct TopLevelType: Hashable {
        var name: String
        var line: Int
    }

    /// Every path: types, members, and the cases of public enums.
    private(set) var paths: Set<String> = []
    /// Types, protocols and type aliases at the top level, by the path of the file that declares them.
    private(set) var topLevelTypes: [String: [TopLevelType]] = [:]

    init(_ files: [SourceFile]) {
        for file in files {
            var reader = DeclarationReader(file.code)
            reader.read()
            paths.formUnion(reader.declarations.map { $0.path.joined(separator: "/") })
            topLevelTypes[file.path] = reader.declarations.filter { $0.isType && $0.path.count == 1 }.map {
                TopLevelType(name: $0.path[0], line: $0.line)
            }
        }
    }

    /// Whether a link leads to a declaration: by its path in the module, with or without the module's name, or from the
    /// symbol that its page is about.
    func resolve(_ link: String, in module: String, from page: [String] = []) -> Bool {
        let parts = link.split(separator: "/").map { String($0.prefix { $0 != "-" }) }
        guard parts != [module] else { return true }
        return [parts, page + parts].contains { path in
            let inside = path.first == module ? Array(path.dropFirst()) : path
            return paths.contains(path.joined(separator: "/")) || paths.contains(inside.joined(separator: "/"))
        }
    }
}

/// Reader of the declarations in code that ``SwiftLexer`` has freed of comments and literals.
struct DeclarationReader {
    /// Public declaration.
    struct Declaration: Hashable {
        var path: [String]
        var line: Int
        var isType: Bool
    }

    /// Type or extension whose members are read.
    private struct Scope {
        var path: [String]
        var kind: String
        var isPublic: Bool
        /// Depth of its members, in braces.
        var depth = 0
    }

    private(set) var declarations: [Declaration] = []
    private let tokens: [SwiftToken]
    private var index = 0
    private var depth = 0
    private var isPublic = false
    private var scopes: [Scope] = []
    /// Scope whose brace has not come yet.
    private var opening: Scope?

    private static let types: Set<String> = ["struct", "class", "enum", "actor", "protocol", "extension"]
    private static let members: Set<String> = [
        "func", "init", "subscript", "var", "let", "typealias", "associatedtype",
    ]
    private static let otherLevels: Set<String> = ["package", "internal", "private", "fileprivate"]

    init(_ code: String) {
        tokens = SwiftToken.tokens(of: code)
    }

    mutating func read() {
        while index < tokens.count {
            let isDeclared = depth == (scopes.last?.depth ?? 0) && text(index - 1) != "."
            switch text(index) {
            case "{": openBrace()
            case "}": closeBrace()
            case "(": index = closing(of: index)
            case "import": skipLine()
            case "public" where isDeclared, "open" where isDeclared: isPublic = true
            case let word where Self.otherLevels.contains(word) && text(index + 1) != "(": isPublic = false
            case let word where isDeclared && Self.types.contains(word): readType(word)
            case let word where isDeclared && Self.members.contains(word): readMember(word)
            case "case" where isDeclared && scopes.last?.kind == "enum": readCases()
            default: break
            }
            index += 1
        }
    }

    private func text(_ index: Int) -> String { tokens.indices.contains(index) ? tokens[index].text : "" }

    private mutating func skipLine() {
        isPublic = false
        let line = tokens[index].line
        while index + 1 < tokens.count, tokens[index + 1].line == line { index += 1 }
    }

    // MARK: - Braces

    private mutating func openBrace() {
        depth += 1
        isPublic = false
        guard var scope = opening else { return }
        scope.depth = depth
        scopes.append(scope)
        opening = nil
    }

    private mutating func closeBrace() {
        if let scope = scopes.last, scope.depth == depth { scopes.removeLast() }
        depth -= 1
        isPublic = false
    }

    /// The index of the parenthesis that closes the one at `start`.
    private func closing(of start: Int) -> Int {
        var open = 0
        for index in start..<tokens.count {
            if tokens[index].text == "(" { open += 1 }
            if tokens[index].text == ")" { open -= 1 }
            guard open > 0 else { return index }
        }
        return tokens.count
    }

    // MARK: - Declarations

    private mutating func readType(_ kind: String) {
        var names = [text(index + 1)]
        let line = tokens[index].line
        if names == ["["] { names = ["Array"] }
        guard names[0].first?.isUppercase == true || kind == "extension" else { return }
        while text(index + 2) == ".", kind == "extension" {
            names.append(text(index + 3))
            index += 2
        }
        index += 1
        let path = (scopes.last?.path ?? []) + names
        if isPublic, kind != "extension" { declarations.append(Declaration(path: path, line: line, isType: true)) }
        opening = Scope(path: path, kind: kind, isPublic: isPublic)
        isPublic = false
    }

    private mutating func readMember(_ kind: String) {
        let line = tokens[index].line
        let isOwn = kind == "init" || kind == "subscript"
        var name = isOwn ? kind : text(index + 1)
        var end = index + (isOwn ? 0 : 1)
        if ["func", "init", "subscript"].contains(kind) {
            while !["(", "<", ""].contains(text(end + 1)) {
                end += 1
                if !isOwn { name += text(end) }
            }
            while !["(", ""].contains(text(end)) { end += 1 }
            // The operands of an operator have no labels.
            let isOperator = name.first.map { !$0.isLetter && $0 != "_" && $0 != "`" } ?? false
            let labels = labels(from: end, of: kind).map { isOperator ? "_:" : $0 + ":" }
            name += "(" + labels.joined() + ")"
            end = closing(of: end)
        }
        add(name, line: line, isType: kind == "typealias")
        index = end
    }

    private mutating func readCases() {
        var isMore = true
        while isMore {
            index += 1
            let line = tokens.indices.contains(index) ? tokens[index].line : 0
            var name = text(index)
            if text(index + 1) == "(" {
                name += "(" + labels(from: index + 1, of: "case").map { $0 + ":" }.joined() + ")"
                index = closing(of: index + 1)
            }
            isPublic = scopes.last?.isPublic ?? false
            add(name, line: line, isType: false)
            while ![",", "}", ""].contains(text(index + 1)), tokens[index + 1].line == line { index += 1 }
            isMore = text(index + 1) == ","
            if isMore { index += 1 }
        }
    }

    private mutating func add(_ name: String, line: Int, isType: Bool) {
        let isImplied = ["protocol", "extension"].contains(scopes.last?.kind) && scopes.last?.isPublic == true
        if isPublic || isImplied {
            let path = (scopes.last?.path ?? []) + [name.filter { $0 != "`" }]
            declarations.append(Declaration(path: path, line: line, isType: isType))
        }
        isPublic = false
    }

    /// The external labels of the parameters in the parentheses that open at `start`.
    private func labels(from start: Int, of kind: String) -> [String] {
        var labels: [String] = []
        var nesting = 0
        var isFirst = true
        for index in start + 1..<max(start + 1, closing(of: start)) {
            if isFirst {
                let isNamed = text(index + 1) == ":"
                labels.append(kind == "case" || kind == "subscript" ? label(at: index, isNamed, kind) : text(index))
                isFirst = false
            }
            if ["(", "[", "{", "<"].contains(text(index)) { nesting += 1 }
            if [")", "]", "}", ">"].contains(text(index)) { nesting -= 1 }
            if text(index) == ",", nesting == 0 { isFirst = true }
        }
        return labels
    }

    /// Label of a payload, which may have none, or of a subscript, whose single name is not a label.
    private func label(at index: Int, _ isNamed: Bool, _ kind: String) -> String {
        if kind == "case" { return isNamed ? text(index) : "_" }
        return isNamed ? "_" : text(index)
    }
}
