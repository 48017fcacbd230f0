/// Metrics in the text format of Prometheus (version 0.0.4), read strictly.
package struct Exposition {
    /// What is wrong with a line.
    package struct Fault: Error, CustomStringConvertible {
        /// The line.
        package let line: String
        /// What is wrong with it.
        package let reason: String

        package var description: String { "\(reason): \(line)" }
    }

    /// Lines of one metric, which stand together.
    package struct Family {
        /// Name in the lines of the text and the type.
        package let name: String
        /// Text behind `# HELP`, with its escapes replaced; nil without such a line.
        package var help: String?
        /// Word behind `# TYPE`.
        package var type = ""
        /// Values by the series, with its labels as they stand.
        package var values: [String: Double] = [:]
    }

    /// All metrics in their order.
    package private(set) var families: [Family] = []

    /// Reads a text; throws ``Fault`` for the first line that breaks a rule of the format.
    package init(_ text: String) throws {
        guard text.isEmpty || text.utf8.last == 0x0A else { throw Fault(line: text, reason: "no line end at the end") }
        for line in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast() {
            try read(String(decoding: line, as: UTF8.self))
        }
        for family in families {
            guard !family.values.isEmpty else { throw Fault(line: family.name, reason: "no values") }
            if family.type == "histogram" { try Self.requireHistogram(family) }
        }
    }

    /// The metric of a name.
    package func family(_ name: String) -> Family? { families.first { $0.name == name } }

    private mutating func read(_ line: String) throws {
        if line.hasPrefix("# HELP ") || line.hasPrefix("# TYPE ") {
            try readComment(line)
        } else {
            try readValue(line)
        }
    }

    private mutating func readComment(_ line: String) throws {
        let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
        guard words.count == 4, Self.isName(words[2]) else {
            throw Fault(line: line, reason: "no comment of the format")
        }
        let name = String(words[2])
        if line.hasPrefix("# HELP ") {
            guard family(name) == nil else {
                throw Fault(line: line, reason: "a second text, or one behind the values")
            }
            families.append(Family(name: name, help: try Self.unescaped(words[3], quoted: false)))
            return
        }
        guard ["counter", "gauge", "histogram", "summary", "untyped"].contains(words[3]) else {
            throw Fault(line: line, reason: "no type of the format")
        }
        if families.last?.name != name {
            guard family(name) == nil else { throw Fault(line: line, reason: "the lines do not stand together") }
            families.append(Family(name: name))
        }
        guard families[families.count - 1].type.isEmpty, families[families.count - 1].values.isEmpty else {
            throw Fault(line: line, reason: "a second type, or one behind the values")
        }
        families[families.count - 1].type = String(words[3])
    }

    private mutating func readValue(_ line: String) throws {
        guard let match = line.wholeMatch(of: /(?s)([a-zA-Z_:][a-zA-Z0-9_:]*)(\{.*\})? (\S+)/),
            let family = families.last, !family.type.isEmpty
        else { throw Fault(line: line, reason: "no value of the format, or one without a type") }
        let suffixes = family.type == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
        guard suffixes.contains(where: { family.name + $0 == match.1 }) else {
            throw Fault(line: line, reason: "a value of another metric")
        }
        if let labels = match.2 { try Self.requireLabels(labels.dropFirst().dropLast(), line) }
        guard let value = Self.number(match.3), !(family.type == "counter" && value < 0) else {
            throw Fault(line: line, reason: "no number of the format")
        }
        let series = match.1 + (match.2 ?? "")
        guard families[families.count - 1].values.updateValue(value, forKey: String(series)) == nil else {
            throw Fault(line: line, reason: "a series that is there twice")
        }
    }

    private static func isName(_ text: Substring) -> Bool { text.wholeMatch(of: /[a-zA-Z_:][a-zA-Z0-9_:]*/) != nil }

    private static func number(_ text: Substring) -> Double? {
        switch text {
        case "+Inf": .infinity
        case "-Inf": -.infinity
        case "NaN": .nan
        default: text.wholeMatch(of: /-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?/) == nil ? nil : Double(text)
        }
    }

    /// Labels: each name once, values in quotes with the three escapes of the format.
    private static func requireLabels(_ text: Substring, _ line: String) throws {
        var (rest, names) = (text, Set<String>())
        while !rest.isEmpty {
            guard let match = rest.prefixMatch(of: /(?s)([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"(,|$)/) else {
                throw Fault(line: line, reason: "labels that cannot be read")
            }
            guard names.insert(String(match.1)).inserted else { throw Fault(line: line, reason: "a label twice") }
            _ = try unescaped(match.2, quoted: true)
            rest = rest[match.range.upperBound...]
        }
    }

    private static func unescaped(_ text: Substring, quoted: Bool) throws -> String {
        var (result, isEscape) = ("", false)
        for scalar in text.unicodeScalars {
            guard isEscape else {
                if scalar == "\\" { isEscape = true } else { result.unicodeScalars.append(scalar) }
                continue
            }
            isEscape = false
            switch scalar {
            case "\\": result += "\\"
            case "n": result += "\n"
            case "\"" where quoted: result += "\""
            default: throw Fault(line: String(text), reason: "an escape that the format does not have")
            }
        }
        guard !isEscape else { throw Fault(line: String(text), reason: "an escape without its end") }
        return result
    }

    /// Buckets that only grow and end with `+Inf`, which is the count.
    private static func requireHistogram(_ family: Family) throws {
        let infinite = family.values.filter { $0.key.contains(#"le="+Inf""#) }
        for (series, value) in infinite {
            let labels = series.replacing(/^[^{]*/, with: "").replacing(/,?le="\+Inf"/, with: "")
            let count = family.values["\(family.name)_count" + (labels == "{}" ? "" : labels)]
            guard count == value, family.values.values.allSatisfy({ $0 >= 0 }) else {
                throw Fault(line: series, reason: "a histogram whose count is not its last bucket")
            }
        }
        guard !infinite.isEmpty else { throw Fault(line: family.name, reason: "a histogram without +Inf") }
    }
}
