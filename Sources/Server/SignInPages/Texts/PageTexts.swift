/// Texts of the pages in one language.
struct PageTexts: Sendable {
    let language: PageLanguage

    subscript(_ text: PageText) -> String { Self.table(language)[text] ?? text.rawValue }

    var named: PageValue {
        var values: [String: PageValue] = [:]
        for text in PageText.allCases { values[text.rawValue] = .text(self[text]) }
        return .values(values)
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
