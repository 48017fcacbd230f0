package import OpenID

/// Texts of the pages in one language.
struct PageTexts: Sendable {
    let language: PageLanguage
    /// Texts that the operator has put in place of others, by the names of these.
    var chosen: [String: String] = [:]

    subscript(_ text: PageText) -> String { chosen[text.rawValue] ?? Self.table(language)[text] ?? text.rawValue }

    /// All texts by their names, for templates.
    var escaped: PageValue {
        var texts: [String: String] = [:]
        for text in PageText.allCases { texts[text.rawValue] = PageValue.escaped(self[text]) }
        return .escapedTexts(texts)
    }

    /// The texts of a language; a test finds one that is missing.
    static func table(_ language: PageLanguage) -> [PageText: String] {
        switch language {
        case .german: german
        case .english: english
        case .french: french
        case .italian: italian
        }
    }
}

extension PageLanguage {
    /// Name of the language in itself.
    var name: String {
        switch self {
        case .german: "Deutsch"
        case .english: "English"
        case .french: "Français"
        case .italian: "Italiano"
        }
    }
}

extension PageTheme {
    package static var textNames: [String] { PageText.allCases.map(\.rawValue) }

    /// Names of texts that no page has, each behind its language.
    package var unknownTexts: [String] {
        texts.flatMap { language, texts in
            texts.keys.filter { PageText(rawValue: $0) == nil }.map { "\(language).\($0)" }
        }.sorted()
    }
}
