/// What a scan can see of the rule that secrets stay out of logs, errors, descriptions and process arguments.
enum SecretRule {
    static func violations(in file: SourceFile) -> [Violation] {
        logged(in: file) + described(in: file) + printed(in: file) + inErrors(in: file) + held(in: file)
            + file.violations(
                of: "a secret as a command-line argument", naming: "@Option", "@Argument",
                where: /@(Option|Argument)\b.*\bvar (pin|password|passphrase|token|secret|apiKey)\b/)
            + file.violations(
                of: "a secret compared in a time that depends on it", naming: " == ",
                where: /\b(pin|password|passphrase|secret|apiKey)(\.octets|\.bytes)? == (?!nil|\.)/)
    }

    /// Log lines that interpolate a value whose name is a secret's.
    private static func logged(in file: SourceFile) -> [Violation] {
        let call = /\blog(ger)?\.(trace|debug|info|notice|warning|error|critical)\(/
        let secret = /\b(pin|password|passphrase|secret|token|cookie|payload)\b/
        return file.lines(naming: ["log"], with: call).filter { $0.text.contains(secret.wordBoundaryKind(.simple)) }.map
        {
            Violation(file.path, $0.number, "a secret in a log line")
        }
    }

    /// Types that hold secrets and would print them.
    private static func described(in file: SourceFile) -> [Violation] {
        file.violations(
            of: "a secret type with a description or an encoding", naming: "Secret",
            where: /\b(struct|class|extension) Secret\w*\b.*:.*\b(CustomStringConvertible|Codable|Encodable)\b/)
    }

    /// Stored texts that the description of what holds them would show; a `Sensitive`, or a mirror without them, does not.
    private static func held(in file: SourceFile) -> [Violation] {
        // The person of a test is asked for nothing but these.
        guard file.name != "ScriptedUser", !file.lines.has("CustomReflectable"), !file.lines.has("Redacted") else {
            return []
        }
        return file.violations(
            of: "a secret that a printed value shows", naming: ": String", ": Substring", ": [HTTPCookie]",
            where:
                #/
                ^\s*((public|package|private|fileprivate)(\(set\))?\s)*(let|var)\s\w*
                ([tT]oken|jwt|[bB]earer|[pP]assword|[pP]assphrase|[pP]in|[dD]igits|[cC]ookies?|privateKeyPEM|[sS]ecret)
                :\s(String|Substring|\[HTTPCookie\])\??(\s=.*)?$
                /#)
    }

    /// Errors travel into logs and to the user.
    private static func inErrors(in file: SourceFile) -> [Violation] {
        let cases = file.violations(
            of: "a secret in an error", naming: "case ",
            where: /^\s*case \w+\(.*(\bSecretOctets\b|\bSecretBytes\b|\[UInt8\]|\bData\b)/)
        guard !cases.isEmpty else { return [] }
        let types = file.types
        return cases.filter { violation in types.last { $0.line <= violation.line }?.name.hasSuffix("Error") ?? false }
    }

    /// Only commands talk to the terminal.
    private static func printed(in file: SourceFile) -> [Violation] {
        guard !file.path.hasPrefix("Sources/Commands/") else { return [] }
        return file.violations(
            of: "output outside the commands", naming: "print(", "debugPrint(", "dump(", "NSLog(",
            where: /\b(print|debugPrint|dump|NSLog)\(/)
    }
}
