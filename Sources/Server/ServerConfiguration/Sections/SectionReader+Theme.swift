import OpenID
import ServerCore
import StrictYAML

extension SectionReader {
    /// The section `pages.theme`.
    mutating func readTheme() -> PageTheme {
        var theme = PageTheme()
        if let path = filePath("logo-file"), let content = session.source.files.contents(of: path) {
            theme.logo = PageTheme.Logo(content)
            if theme.logo == nil {
                report(
                    "logo-file",
                    .notAllowed(rule: "must hold a PNG or an SVG of at most \(PageTheme.Logo.byteLimit) octets"))
            }
        }
        for scheme in PageTheme.Scheme.allCases {
            section(scheme.rawValue) { $0.readColours(of: scheme, into: &theme) }
        }
        section("texts") { section in
            for language in ["de", "en", "fr", "it"] { theme.texts[language] = section.readTexts(language) }
        }
        return theme
    }

    /// Colours of a scheme; one on which a text, or which as a text, cannot be read is refused.
    private mutating func readColours(of scheme: PageTheme.Scheme, into theme: inout PageTheme) {
        var colours: [PageColour.Part: PageColour] = [:]
        for part in PageColour.Part.allCases {
            colours[part] = value(part.rawValue) { setting throws(Setting.Mismatch) in
                guard let colour = PageColour(try setting.asText()) else {
                    throw .rule("is a colour of the form \"#0b3d91\" (in quotation marks: # begins a comment)")
                }
                return colour
            }
        }
        theme.colours[scheme] = colours.isEmpty ? nil : colours
        for (text, ground) in PageColour.pairs where colours[text] != nil || colours[ground] != nil {
            let (colour, behind) = (theme.colour(text, in: scheme), theme.colour(ground, in: scheme))
            let contrast = colour.contrast(to: behind)
            guard contrast < PageColour.leastContrast else { continue }
            report(
                (colours[text] == nil ? ground : text).rawValue,
                .notAllowed(
                    rule: "\(text.rawValue) \(colour.text) on \(ground.rawValue) \(behind.text) has a contrast of "
                        + "\(Self.shown(contrast)), and texts need \(PageColour.leastContrast) (WCAG 2.2, 1.4.3)"))
        }
    }

    /// A contrast with one digit, rounded down, so that it never seems to be enough.
    private static func shown(_ contrast: Double) -> String { "\((contrast * 10).rounded(.down) / 10)" }

    private mutating func readTexts(_ language: String) -> [String: String]? {
        let named = namedValues(language) { setting throws(Setting.Mismatch) in
            guard let text = ShownText.line(try setting.asText(), 1...500) else {
                throw .rule("a text of the pages has 1 to 500 visible characters in one line")
            }
            return text
        }
        return named.isEmpty ? nil : Dictionary(named.map { ($0.name, $0.value) }) { $1 }
    }
}
