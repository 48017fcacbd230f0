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

    /// The text in one language.
    func text(in language: SDKLanguage) -> String {
        switch language {
        case .english: english
        case .german: german
        case .french: french
        case .italian: italian
        }
    }

    /// The text in the language of the user.
    var localized: String { text(in: .current) }
}
