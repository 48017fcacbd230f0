/// Paths work in every shell, and no text of the package names a folder of one machine.
enum PathRule {
    static func violations(inPath path: String) -> [Violation] {
        let allowed = path.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.+/".contains($0)) }
        return allowed ? [] : [Violation(path, 1, "the path holds a blank or another character that scripts trip over")]
    }

    static func violations(inText text: String, at path: String) -> [Violation] {
        let named = CodeLines(text).lines(naming: ["home/", "Users/", "root/", "work/", "tmp/wt/", "tmp/scr/"])
        guard !named.isEmpty else { return [] }
        let pattern = /(?:^|[\s"'=(`])\/(home|Users|root|work|tmp\/wt|tmp\/scr)\//
        return named.filter { $0.text.contains(pattern) }.map { Violation(path, $0.number, "a path of one machine") }
    }
}
