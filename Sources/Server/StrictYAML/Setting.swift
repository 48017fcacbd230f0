/// One value as it was given, before its type is known.
package struct Setting {
    /// Origin of the text.
    enum Kind: Equatable {
        case literal(ConfigurationNode.ScalarKind)
        /// It comes from the environment or from a replaced reference, where quotes cannot tell text from numbers.
        case derived
    }

    let text: String
    let kind: Kind
    let location: SourceLocation
    let path: [String]

    private func mayBe(_ scalar: ConfigurationNode.ScalarKind) -> Bool {
        kind == .derived || kind == .literal(scalar)
    }

    package func asText() throws(Mismatch) -> String {
        guard mayBe(.text), !text.isEmpty else { throw .type("a text (put it in quotes)") }
        return text
    }

    package func asInteger(in range: ClosedRange<Int>) throws(Mismatch) -> Int {
        guard mayBe(.integer), let number = Int(text) else { throw .type("a whole number") }
        guard range.contains(number) else {
            throw .rule("must be between \(range.lowerBound) and \(range.upperBound)")
        }
        return number
    }

    package func asFlag() throws(Mismatch) -> Bool {
        guard mayBe(.flag), let flag = Bool(text) else { throw .type("true or false") }
        return flag
    }

    package func asChoice<Choice: RawRepresentable<String> & CaseIterable>(_ type: Choice.Type) throws(Mismatch)
        -> Choice
    {
        guard let choice = Choice(rawValue: text) else {
            throw .rule("must be one of " + Choice.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return choice
    }

    /// The value as a duration such as `480s`, `8m`, `24h`, `500ms` in a range.
    package func asDuration(in range: ClosedRange<Duration>) throws(Mismatch) -> Duration {
        guard mayBe(.text), let duration = Duration(configurationText: text) else {
            throw .type("a duration with its unit, such as 480s, 8m or 24h")
        }
        guard range.contains(duration) else {
            throw .rule(
                "must be between \(range.lowerBound.configurationText) and \(range.upperBound.configurationText)")
        }
        return duration
    }

    /// Reason to refuse a value.
    package enum Mismatch: Error {
        case type(String)
        case rule(String)

        var reason: ConfigurationProblem.Reason {
            switch self {
            case .type(let expected): .wrongType(expected: expected)
            case .rule(let rule): .notAllowed(rule: rule)
            }
        }
    }
}

extension Duration {
    private static let units: [(suffix: String, milliseconds: Int)] = [
        ("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
    ]

    /// Reads digits with a unit.
    package init?(configurationText text: String) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let suffix = text[digits.endIndex...]
        guard let number = Int(digits), let unit = Self.units.first(where: { $0.suffix == suffix }) else { return nil }
        let (milliseconds, overflow) = number.multipliedReportingOverflow(by: unit.milliseconds)
        guard !overflow else { return nil }
        self = .milliseconds(milliseconds)
    }

    /// The shortest spelling that ``init(configurationText:)`` reads back.
    package var configurationText: String {
        let milliseconds = Int(components.seconds) * 1_000 + Int(components.attoseconds / 1_000_000_000_000_000)
        let unit = Self.units.last { milliseconds % $0.milliseconds == 0 && milliseconds >= $0.milliseconds }
        guard let unit else { return "\(milliseconds)ms" }
        return "\(milliseconds / unit.milliseconds)\(unit.suffix)"
    }
}

extension Setting {
    /// The value as an https origin without path, such as `https://login.example.com:8443`.
    package func asHTTPSOrigin() throws(Mismatch) -> String {
        let url = try asHTTPSURL()
        let rest = url.dropFirst("https://".count)
        guard !rest.contains("/") else { throw .rule("must have no path and no slash at the end") }
        for port in [":443", ":"] where rest.utf8.count > port.utf8.count && url.hasSuffix(port) {
            return String(url.dropLast(port.utf8.count))
        }
        return url
    }

    /// The value as an https URL without user, query and fragment, at most 512 bytes (the limit of an appID).
    package func asHTTPSURL() throws(Mismatch) -> String {
        let url = try asText()
        let prefix = "https://"
        guard url.hasPrefix(prefix), url.utf8.count > prefix.utf8.count else { throw .rule("must begin with https://") }
        guard url.utf8.count <= 512 else { throw .rule("must have at most 512 characters") }
        let isPlain = url.utf8.allSatisfy { byte in
            (0x21...0x7E).contains(byte) && !"\"<>\\^`{|}@?#".utf8.contains(byte)
        }
        guard isPlain else { throw .rule("must be a plain URL without user, query and fragment") }
        return url
    }
}
