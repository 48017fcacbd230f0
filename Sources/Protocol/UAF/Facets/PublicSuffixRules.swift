/// Public suffixes: domain names below which everyone may register a name.
///
/// The format and algorithm of publicsuffix.org: exact rules, `*.` wildcards and `!` exceptions; without a rule the
/// last label is a public suffix (rule `*`). Names are compared as lower case A-labels; rules may be written in
/// Unicode.
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

/// Domain names in the form the domain name system uses.
enum DomainName {
    /// The name with ASCII letters in lower case and every other label as an A-label (RFC 3492).
    ///
    /// Unicode labels only occur in lists of public suffixes, where they are in lower case and composed already.
    static func ascii(_ name: Substring) -> String {
        name.split(separator: ".", omittingEmptySubsequences: false)
            .map { label in
                label.utf8.allSatisfy { $0 < 0x80 } ? label.lowercased() : "xn--" + punycode(label.lowercased())
            }
            .joined(separator: ".")
    }

    /// RFC 3492, 6.3 with the parameters of section 5.
    private static func punycode(_ label: String) -> String {
        let scalars = label.unicodeScalars.map { Int($0.value) }
        var output = label.unicodeScalars.filter(\.isASCII).map { Character($0) }
        let basicCount = output.count
        if basicCount > 0 { output.append("-") }
        var threshold = 128
        var delta = 0
        var bias = 72
        var handled = basicCount
        while handled < scalars.count, let next = scalars.filter({ $0 >= threshold }).min() {
            delta += (next - threshold) * (handled + 1)
            threshold = next
            for scalar in scalars {
                if scalar < threshold { delta += 1 }
                guard scalar == threshold else { continue }
                output.append(contentsOf: digits(of: delta, bias: bias))
                bias = adapt(delta, count: handled + 1, isFirst: handled == basicCount)
                delta = 0
                handled += 1
            }
            delta += 1
            threshold += 1
        }
        return String(output)
    }

    private static func digits(of delta: Int, bias: Int) -> [Character] {
        let symbols = Array("abcdefghijklmnopqrstuvwxyz0123456789")
        var result: [Character] = []
        var rest = delta
        var position = 36
        while true {
            let limit = min(max(position - bias, 1), 26)
            guard rest >= limit else { break }
            result.append(symbols[limit + (rest - limit) % (36 - limit)])
            rest = (rest - limit) / (36 - limit)
            position += 36
        }
        return result + [symbols[rest]]
    }

    private static func adapt(_ delta: Int, count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / count
        var steps = 0
        while delta > 455 {
            delta /= 35
            steps += 36
        }
        return steps + 36 * delta / (delta + 38)
    }
}
