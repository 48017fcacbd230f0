extension PageReader {
    private static let acceptLanguageLimit = 256

    /// Language of the pages: the one chosen, the best of `Accept-Language` (RFC 9110, 12.5.4), or the language of the
    /// service.
    func language(otherwise fallback: PageLanguage) -> PageLanguage {
        if let language { return language }
        guard let field = acceptLanguage else { return fallback }
        let read = String(decoding: field.utf8.prefix(Self.acceptLanguageLimit), as: UTF8.self)
        var best: (language: PageLanguage, weight: Double)?
        for range in read.split(separator: ",") {
            guard let accepted = Self.accepted(range), accepted.weight > best?.weight ?? 0 else { continue }
            best = accepted
        }
        return best?.language ?? fallback
    }

    /// Language and weight of one range; nil for a language that the pages do not speak.
    private static func accepted(_ range: Substring) -> (language: PageLanguage, weight: Double)? {
        let parts = range.split(separator: ";")
        guard let tag = parts.first?.trimmed.split(separator: "-").first,
            let language = PageLanguage(rawValue: tag.lowercased())
        else { return nil }
        guard let parameter = parts.dropFirst().first?.trimmed else { return (language, 1) }
        guard parameter.hasPrefix("q="), let weight = Double(parameter.dropFirst(2)), (0...1).contains(weight) else {
            return nil
        }
        return (language, weight)
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        let start = drop { $0 == " " || $0 == "\t" }
        guard let end = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
        return start[...end]
    }
}
