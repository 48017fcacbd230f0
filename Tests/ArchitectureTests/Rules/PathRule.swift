/// Paths work in every shell, and no text of the package names a folder of somebody's machine.
enum PathRule {
    static func violations(inPath path: String) -> [Violation] {
        let allowed = path.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.+/".contains($0)) }
        return allowed ? [] : [Violation(path, 1, "the path holds a blank or another character that scripts trip over")]
    }

    static func violations(inText text: String, at path: String) -> [Violation] {
        let pattern = /(?:^|[\s"'=(`])\/(home|Users|root|work|tmp\/wt|tmp\/scr)\//
        return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap { index, line in
            line.contains(pattern) ? Violation(path, index + 1, "a path of one machine") : nil
        }
    }
}
