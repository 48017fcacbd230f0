import Foundation
import Octets
import OpenID
import Testing

@testable import SignInPages

@Suite("Texts: four languages, each complete, chosen by the reader")
struct PageTextTests {
    @Test("Every language has every text, and none is empty", arguments: PageLanguage.allCases)
    func complete(language: PageLanguage) {
        let table = PageTexts.table(language)
        for text in PageText.allCases {
            #expect(table[text]?.isEmpty == false, "\(language.rawValue) lacks \(text.rawValue)")
        }
    }

    @Test("No language repeats the long texts of another", arguments: PageLanguage.allCases.dropFirst())
    func translated(language: PageLanguage) {
        let (german, other) = (PageTexts.table(.german), PageTexts.table(language))
        for text in PageText.allCases where (german[text]?.count ?? 0) > 24 {
            #expect(german[text] != other[text], "\(text.rawValue)")
        }
    }

    @Test("What docs/web/web-sites.md quotes of the pages stands on them")
    func quoted() throws {
        let root = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL
        let page = try String(contentsOf: root.appending(path: "docs/web/web-sites.md"), encoding: .utf8)
        let quotes = page.matches(of: /\| page "(?:… )?([^"]+)"/).map { String($0.1) }
        #expect(quotes.count == 4)
        let texts = PageTexts.table(.english).values
        for quote in quotes {
            let isShown = texts.contains { $0.contains(quote) }
            #expect(isShown, "\(quote)")
        }
        for text in [PageText.openHere, .pushInstead, .cancel] {
            let label = PageTexts(language: .english)[text]
            #expect(page.contains("\"\(label)\""), "\(label)")
        }
    }

    @Test(
        "The language is the choice, else the best of Accept-Language, else the service's",
        arguments: [
            ("de-CH,en;q=0.8", PageLanguage.german), ("pt, it;q=0.5, fr;q=0.7", .french), ("en;q=0, it", .italian),
            ("pt", .english), ("", .english), ("de;q=2", .english), ("de;x=1", .english), (";;,,;q=", .english),
        ])
    func negotiated(field: String, language: PageLanguage) {
        #expect(reader(field).language(otherwise: .english) == language)
        #expect(reader(field, chosen: .french).language(otherwise: .english) == .french)
    }

    @Test("Of 64 KiB of Accept-Language only the first 256 octets are read")
    func endless() {
        let filler = String(repeating: "xx,", count: 21_845)
        #expect(reader(filler + "de").language(otherwise: .english) == .english)
        #expect(reader("de," + filler).language(otherwise: .english) == .german)
    }

    private func reader(_ field: String, chosen: PageLanguage? = nil) -> PageReader {
        PageReader(
            acceptLanguage: field, language: chosen, cookies: BrowserCookies(browser: nil, provider: nil))
    }
}
