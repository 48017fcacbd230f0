/// A line where a file breaks a rule.
struct Violation: Hashable, CustomStringConvertible {
    var path: String
    var line: Int
    var rule: String

    init(_ path: String, _ line: Int, _ rule: String) {
        self.path = path
        self.line = line
        self.rule = rule
    }

    var description: String { "\(path):\(line): \(rule)" }
}
