import Octets
import ServerCore
import StrictJSON
import TestSupport
import Testing
import UAFService

@testable import OpenID
@testable import SignInPages

@Suite("My devices: what is kept of a person, for that person alone")
struct PersonPageTests {
    private let server: TestServer
    private let pages: SignInPages
    private let anna: User

    init() async throws {
        server = try await TestServer(authenticators: [try SyntheticAuthenticator()])
        pages = try SignInPages(
            OpenIDServer(server.services, transactions: server.openID, settings: OpenIDSettings()),
            issuer: "https://login.example.com")
        anna = try await server.services.users.add(name: "anna", externalID: "anna<b>")
        try await server.services.users.add(name: "bert")
        try await server.addTarget(of: anna, on: SyntheticDevice(), named: "Anna's phone")
    }

    private func session() -> BrowserSession {
        BrowserSession(
            id: BrowserSessionID(from: server.random), cookie: ProviderCookieHash(of: [1]), userID: anna.id,
            ceremony: CeremonyID(from: server.random), assurance: .key, authenticatedAt: server.clock.now(),
            evidence: RequestAuthorization.Evidence(authenticatedAt: server.clock.now()),
            expiresAt: server.clock.now() + .seconds(3_600))
    }

    private func reader(_ language: PageLanguage = .english) -> PageReader {
        PageReader(
            acceptLanguage: nil, language: language,
            cookies: BrowserCookies(browser: Sensitive("browser"), provider: Sensitive("provider")))
    }

    private func page(_ data: PersonAnswer) throws -> (status: Int, html: String) {
        guard case .page(let page) = data else { throw AnswerFault.noPage }
        return (page.status, String(decoding: page.html, as: UTF8.self))
    }

    private enum AnswerFault: Error { case noPage, noFile }

    @Test("Page and file are about the person, in each language, and name no other person and no operator")
    func shown() async throws {
        let session = session()
        for language in PageLanguage.allCases {
            let page = try page(await pages.personalData(of: session, reader: reader(language), isFile: false))
            #expect(page.status == 200 && page.html.contains(PageTexts(language: language)[.dataReceipts]))
            #expect(page.html.contains("anna&lt;b&gt;") && page.html.contains("Anna&#39;s phone"))
            #expect(!page.html.contains("bert") && page.html.contains(#"value="data-file""#))
        }
        guard case .file(let json) = try await pages.personalData(of: session, reader: reader(), isFile: true) else {
            throw AnswerFault.noFile
        }
        let members = try JSONParser.parse(json, limits: .document).asObject()
        #expect(members["userId"] == .string(anna.id.text))
        #expect(!String(decoding: json, as: UTF8.self).contains("bert"))
    }

    @Test("An old confirmation shows nothing, and one person cannot have the audit read without end")
    func bounds() async throws {
        let session = session()
        for _ in 1...6 { _ = try page(await pages.personalData(of: session, reader: reader(), isFile: false)) }
        #expect(try page(await pages.personalData(of: session, reader: reader(), isFile: false)).status == 503)
        server.clock.advance(by: .seconds(121))
        guard case .confirmFirst = try await pages.personalData(of: session, reader: reader(), isFile: false) else {
            throw AnswerFault.noPage
        }
        let devices = try await pages.devicesPage(of: anna, reader: reader())
        #expect(String(decoding: devices.html, as: UTF8.self).contains(#"name="action" value="data""#))
    }
}
