import Foundation
import OpenID
import ServerConfiguration
import Testing

@Suite("Configuration file: look and words of the pages")
struct ThemeRuleTests {
    private static let svg = #"<svg xmlns="http://www.w3.org/2000/svg"/>"#
    private static let files: [String: (text: String, permissions: UInt16)] = [
        "/etc/signet/logo.svg": (svg, 0o644), "/etc/signet/logo.txt": ("logo", 0o644),
        "/etc/signet/large.svg": (svg + String(repeating: " ", count: PageTheme.Logo.byteLimit), 0o644),
    ]

    private func found(_ theme: String) -> [String] { problems("pages: {theme: {\(theme)}}", files: Self.files) }

    @Test("Logo, colours and texts are read; without any the pages are the standard ones")
    func reads() throws {
        let text =
            "pages: {theme: {logo-file: logo.svg, light: {mark: \"#5b0f6b\"}, dark: {mark: \"#FFC0FF\", on-mark: \"#200020\"}, "
            + "texts: {en: {signIn: \"Log in\"}}}}"
        let theme = try read(text, files: Self.files).webSites.pages.theme
        #expect(theme.logo?.octets == Array(Self.svg.utf8) && theme.logo?.type == "image/svg+xml")
        #expect(theme.texts == ["en": ["signIn": "Log in"]])
        #expect(
            theme.style == """
                @media not all and (prefers-color-scheme: dark) { :root { --mark: #5b0f6b; } }
                @media all and (prefers-color-scheme: dark) { :root { --mark: #ffc0ff; --on-mark: #200020; } }

                """)
        #expect(try read("").webSites.pages.theme.style.isEmpty)
    }

    @Test("A contrast that is too low is told with both colours, the contrast and what is needed")
    func contrast() {
        let low = found("light: {mark: \"#8090ff\"}")
        #expect(low.count == 3, "on paper, on card, and under on-mark: \(low)")
        #expect(
            low.contains {
                $0.contains(
                    "pages.theme.light.mark: mark #8090ff on card #ffffff has a contrast of 2.8, and texts need 4.5")
            }, "\(low)")
        let ground = found("dark: {card: \"#c0c0c0\"}")
        #expect(ground.contains { $0.contains("pages.theme.dark.card: ink #f3f5f8 on card #c0c0c0") }, "\(ground)")
        #expect(found("light: {line: \"#ffffff\"}").isEmpty, "a line is no text")
    }

    @Test("Black on white has a contrast of 21, the same colours have 1, and the order does not matter")
    func formula() throws {
        let (black, white) = (try #require(PageColour("#000000")), try #require(PageColour("#ffffff")))
        #expect(black.contrast(to: white) == 21 && white.contrast(to: black) == 21 && white.contrast(to: white) == 1)
        let grey = try #require(PageColour("#767676"))
        #expect(grey.contrast(to: white) >= 4.5, "the lightest grey that WCAG allows on white")
        #expect(try #require(PageColour("#777777")).contrast(to: white) < 4.5)
    }

    @Test("Standard colours pass, and signet.css has the same", arguments: PageTheme.Scheme.allCases)
    func standard(scheme: PageTheme.Scheme) throws {
        let theme = PageTheme()
        for (text, ground) in PageColour.pairs {
            #expect(theme.colour(text, in: scheme).contrast(to: theme.colour(ground, in: scheme)) >= 7)
        }
        let file = URL(filePath: #filePath).appending(
            path: "../../../Sources/Server/SignInPages/Resources/signet.css"
        ).standardizedFileURL
        let parts = try String(contentsOf: file, encoding: .utf8).split(
            separator: "prefers-color-scheme: dark", maxSplits: 1)
        let style = try #require(scheme == .light ? parts.first : parts.last)
        for part in PageColour.Part.allCases {
            #expect(style.contains("--\(part.rawValue): \(part.standard(in: scheme).text);"), "\(part.rawValue)")
        }
    }

    @Test(
        "Colours of another form, files that are no picture, and texts that cannot be shown are refused",
        arguments: [
            "light: {mark: \"0b3d91\"}", "light: {mark: \"#0b3d9\"}", "light: {mark: \"#+b3d91\"}",
            "light: {mark: red}",
            "logo-file: logo.txt", "logo-file: large.svg", "logo-file: none.svg", "texts: {en: {signIn: \"\"}}",
            "texts: {en: {signIn: \"a\\nb\"}}", "texts: {nl: {signIn: Inloggen}}", "light: {marks: \"#0b3d91\"}",
        ])
    func refused(theme: String) {
        #expect(found(theme).count == 1, "\(found(theme))")
    }
}
