import Foundation

/// One text for users in every language.
struct SDKText: Hashable, Sendable {
    let english: String
    let german: String
    let french: String
    let italian: String

    init(_ english: String, de german: String, fr french: String, it italian: String) {
        self.english = english
        self.german = german
        self.french = french
        self.italian = italian
    }

    func text(in language: SDKLanguage) -> String {
        switch language {
        case .english: english
        case .german: german
        case .french: french
        case .italian: italian
        }
    }

    var localized: String { text(in: .current) }
}

/// Languages of the texts for users.
enum SDKLanguage: String, CaseIterable, Sendable {
    case english = "en"
    case german = "de"
    case french = "fr"
    case italian = "it"

    /// The first of the languages a user has chosen that there are texts in; English when there is none.
    ///
    /// The list has tags such as `de-CH` or `fr_FR`; only the language counts.
    static func preferred(among tags: [String]) -> SDKLanguage {
        for tag in tags {
            let language = tag.prefix { $0 != "-" && $0 != "_" && $0 != "." }.lowercased()
            if let known = SDKLanguage(rawValue: language) { return known }
        }
        return .english
    }

    static var current: SDKLanguage { preferred(among: Locale.preferredLanguages) }
}
