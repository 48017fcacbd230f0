import SignInPages
import Testing

@Suite("Page at the address of the service")
struct FrontPageTests {
    @Test("It leads to the devices, where there are sign-ins, and to the document, in every language")
    func links() throws {
        let stage = try PageStage()
        var titles: Set<String> = []
        for language in PageLanguage.allCases {
            let html = String(
                decoding: stage.pages.frontPage(hasDevices: true, reader: stage.reader(language: language)).html,
                as: UTF8.self)
            #expect(html.contains(#"<a href="/my-devices">"#) && html.contains(#"<a href="/openapi.yaml">"#))
            #expect(html.contains(#"<html lang="\#(language.rawValue)">"#) && html.contains(#"href="?lang=it""#))
            titles.formUnion(html.matches(of: /<title>(.*)<\/title>/).map { String($0.1) })
        }
        #expect(titles.count == PageLanguage.allCases.count)
    }

    @Test("Without sign-ins it names no devices; it never says the version")
    func without() throws {
        let stage = try PageStage()
        let html = String(
            decoding: stage.pages.frontPage(hasDevices: false, reader: stage.reader(language: .english)).html,
            as: UTF8.self)
        #expect(!html.contains("/my-devices") && html.contains("/openapi.yaml"))
        #expect(!html.contains("0.1.0"))
    }
}
