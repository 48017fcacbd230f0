import Octets

/// What a client is ready to receive (RFC 9110, section 12.5.1).
struct AcceptedTypes: Sendable {
    private let ranges: [String]

    /// Reads the values of all `Accept` headers; without one everything is accepted.
    init(_ headers: [String]) {
        ranges = headers.flatMap { $0.split(separator: ",") }.compactMap { element in
            let parts = element.split(separator: ";").map(ContentType.trimmed)
            guard let range = parts.first, !range.isEmpty else { return nil }
            let isRefused = parts.dropFirst().contains { Self.isZeroQuality($0) }
            return isRefused ? nil : range.lowercased()
        }
        acceptsAll = headers.isEmpty
    }

    private let acceptsAll: Bool

    /// Whether a body of the type `essence` may be sent.
    func include(_ essence: String) -> Bool {
        let family = essence.prefix { $0 != "/" } + "/*"
        return acceptsAll
            || ranges.contains { range in
                range.hasSameOctets(as: essence) || range.hasSameOctets(as: "*/*")
                    || range.hasSameOctets(as: String(family))
            }
    }

    private static func isZeroQuality(_ parameter: Substring) -> Bool {
        let text = parameter.lowercased().filter { $0 != " " }
        return text.hasPrefix("q=0") && text.dropFirst(3).allSatisfy { $0 == "." || $0 == "0" }
    }
}
