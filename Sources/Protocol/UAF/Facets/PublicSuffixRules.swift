/// Which domain names belong to a registry, so that everybody may have a name below them.
///
/// The format and algorithm of publicsuffix.org: exact rules, `*.` wildcards and `!` exceptions; without a rule the last
/// label is a public suffix (rule `*`). Names are compared as lower case A-labels; rules may be written in Unicode.
public struct PublicSuffixRules: Sendable {
    /// Knows no list: every top level domain is a public suffix and nothing else is.
    public static let none = PublicSuffixRules(rules: [String]())

    private var exact: Set<String> = []
    private var wildcards: Set<String> = []
    private var exceptions: Set<String> = []

    /// Takes rules one by one.
    public init(rules: some Sequence<String>) {
        for rule in rules { add(rule) }
    }

    /// Takes the text of a public suffix list: one rule a line, `//` begins a comment.
    public init(list: String) {
        let lines = list.split(whereSeparator: \.isNewline)
        self.init(
            rules: lines.compactMap { line in
                let rule = line.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
                return rule.isEmpty || rule.hasPrefix("//") ? nil : rule
            })
    }

    private mutating func add(_ rule: String) {
        if rule.hasPrefix("!") {
            exceptions.insert(DomainName.ascii(rule.dropFirst()))
        } else if rule.hasPrefix("*.") {
            wildcards.insert(DomainName.ascii(rule.dropFirst(2)))
        } else {
            exact.insert(DomainName.ascii(rule[...]))
        }
    }

    /// The public suffix of a host and one label more: the least-specific private label.
    ///
    /// Nil when the host is itself a public suffix or has an empty label.
    public func registrableDomain(of host: String) -> String? {
        let labels = DomainName.ascii(host[...]).split(separator: ".", omittingEmptySubsequences: false)
        guard !labels.contains(where: \.isEmpty) else { return nil }
        let suffixCount = suffixLabelCount(of: labels)
        guard labels.count > suffixCount else { return nil }
        return labels.suffix(suffixCount + 1).joined(separator: ".")
    }

    /// Number of labels in the public suffix: the longest matching rule counts, an exception before all others.
    private func suffixLabelCount(of labels: [Substring]) -> Int {
        for start in labels.indices {
            let name = labels[start...].joined(separator: ".")
            let count = labels.count - start
            if exceptions.contains(name) { return count - 1 }
            if exact.contains(name) { return count }
            let parent = labels[(start + 1)...].joined(separator: ".")
            if wildcards.contains(parent) { return count }
        }
        return 1
    }
}
