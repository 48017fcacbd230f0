import OpenID
import Testing

@testable import SignInPages

@Suite("Look and words of the pages: chosen by the operator")
struct PageThemeTests {
    @Test("A text that is chosen stands in its language, escaped, and a logo in place of the mark")
    func pages() throws {
        let stage = try PageStage {
            $0.theme.texts = ["en": ["frontTitle": "Hello <b>you</b>"]]
            $0.theme.logo = PageTheme.Logo(Array("<svg/>".utf8))
        }
        let english = stage.pages.frontPage(hasDevices: true, reader: stage.reader(language: .english)).text
        #expect(english.contains("Hello &lt;b&gt;you&lt;/b&gt;") && english.contains("<img src=\"/assets/logo\""))
        #expect(!english.contains("<svg"))
        let german = stage.pages.frontPage(hasDevices: true, reader: stage.reader(language: .german)).text
        #expect(!german.contains("Hello"))
    }

    @Test("A text that no page has is named")
    func unknown() {
        var theme = PageTheme()
        theme.texts = ["en": ["signIn": "Log in", "signInn": "Log in"], "de": ["nothing": "x"]]
        #expect(theme.unknownTexts == ["de.nothing", "en.signInn"])
        #expect(PageTheme.textNames.contains("signIn"))
    }
}
