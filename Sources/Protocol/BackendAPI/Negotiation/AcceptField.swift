/// The value of an `Accept` field (RFC 9110, 12.5.1).
public struct AcceptField: Sendable {
    /// One range with its weight in thousandths.
    private struct Range {
        let type: String
        let subtype: String
        let charset: String?
        let hasOtherParameters: Bool
        let weight: Int
    }

    private let ranges: [Range]

    /// Reads the value; nil, when the field is missing, accepts everything.
    ///
    /// A range that cannot be read is ignored, and a field without any that can is as one that is missing: clients in use
    /// put such ranges before good ones.
    public init(parsing text: String?) {
        var scanner = FieldScanner(text ?? "")
        var ranges: [Range] = []
        while !scanner.isAtEnd {
            scanner.skipWhiteSpace()
            if scanner.take(",") { continue }
            let range = Self.readRange(&scanner)
            if let range, scanner.isAtEnd || scanner.take(",") { ranges.append(range) } else { scanner.skipElement() }
            scanner.skipWhiteSpace()
        }
        self.ranges = ranges
    }

    /// The first of `types`, which stand in the server's order of preference, that the client likes best.
    ///
    /// Throws ``BackendAPIError/notAcceptable`` when it takes none of them.
    public func choice(of types: [MediaType]) throws(BackendAPIError) -> MediaType {
        var best: (type: MediaType, weight: Int)?
        for type in types {
            let weight = weight(of: type)
            if weight > best?.weight ?? 0 { best = (type, weight) }
        }
        guard let best else { throw .notAcceptable }
        return best.type
    }

    /// The weight of the most specific range that covers a type; 0 means refused.
    private func weight(of type: MediaType) -> Int {
        guard !ranges.isEmpty else { return 1000 }
        let matching = ranges.compactMap { range in Self.precedence(of: range, for: type).map { ($0, range.weight) } }
        return matching.max { $0.0 < $1.0 }?.1 ?? 0
    }

    private static func precedence(of range: Range, for type: MediaType) -> Int? {
        guard !range.hasOtherParameters, range.charset == nil || range.charset == "utf-8" else { return nil }
        if range.type == "*" { return range.subtype == "*" ? 0 : nil }
        guard type.essence.hasPrefix("\(range.type)/") else { return nil }
        if range.subtype == "*" { return 1 }
        guard type.essence == "\(range.type)/\(range.subtype)" else { return nil }
        return range.charset == nil ? 2 : 3
    }

    private static func readRange(_ scanner: inout FieldScanner) -> Range? {
        guard let type = scanner.readToken(), scanner.take("/"), let subtype = scanner.readToken(),
            let parameters = scanner.readParameters()
        else { return nil }
        var weight = 1000
        // What follows the weight are extensions of the field, not parameters of the type.
        let own = parameters.prefix { $0.name != "q" }
        if own.count < parameters.count { weight = thousandths(parameters[own.count].value) ?? weight }
        return Range(
            type: type.lowercased(), subtype: subtype.lowercased(),
            charset: own.first { $0.name == "charset" }?.value.lowercased(),
            hasOtherParameters: own.contains { $0.name != "charset" }, weight: weight)
    }

    /// A weight from 0 to 1, also with nothing before the point or many digits behind it; nil for what is no such number.
    private static func thousandths(_ text: String) -> Int? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first, ["", "0", "1"].contains(whole), !text.isEmpty else { return nil }
        let digits = parts.count > 1 ? parts[1] : ""
        guard digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
        let fraction = (digits + "000").utf8.prefix(3).reduce(0) { $0 * 10 + Int($1 - 0x30) }
        return min((whole == "1" ? 1000 : 0) + fraction, 1000)
    }
}
