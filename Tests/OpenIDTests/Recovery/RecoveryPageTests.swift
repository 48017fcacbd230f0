import Octets
import OpenID
import ServerCore
import TestSupport
import Testing
import UAFService

@testable import SignInPages

@Suite("My devices and a recovery: codes once and freshly confirmed, and an end by the owner")
struct RecoveryPageTests {
    private let stage: RecoveryStage
    private let pages: SignInPages

    init() async throws {
        stage = try await RecoveryStage()
        var settings = OpenIDSettings()
        settings.recovery.isEnabled = true
        pages = try SignInPages(
            OpenIDServer(stage.server.services, transactions: stage.server.openID, settings: settings),
            issuer: "https://login.example.com")
    }

    private func session() -> BrowserSession {
        let now = stage.server.clock.now()
        return BrowserSession(
            id: BrowserSessionID(from: stage.server.random), cookie: ProviderCookieHash(of: [1]), userID: stage.user.id,
            ceremony: CeremonyID(from: stage.server.random), assurance: .key, authenticatedAt: now,
            evidence: RequestAuthorization.Evidence(authenticatedAt: now), expiresAt: now + .seconds(3_600))
    }

    private func reader(
        _ language: PageLanguage = .english, recovery: Sensitive<String>? = nil
    ) -> PageReader {
        PageReader(
            acceptLanguage: nil, language: language,
            cookies: BrowserCookies(browser: nil, provider: Sensitive("provider"), recovery: recovery))
    }

    private func change(_ change: PageDeviceChange, in session: BrowserSession) async throws -> PageAnswer {
        try await pages.changeDevices(change, of: session, client: ClientContext(), reader: reader())
    }

    @Test("New codes are shown once, after a fresh confirmation only, and the page then counts them")
    func codes() async throws {
        let session = session()
        let page = try await change(.makeCodes, in: session)
        let codes = page.text.matches(of: /<code>([2-9A-Z-]{19})<\/code>/).map { String($0.output.1) }
        #expect(page.status == 200 && Set(codes).count == 8)
        let devices = try await pages.devicesPage(of: stage.user, reader: reader()).text
        #expect(devices.contains("<strong>8</strong>") && !codes.contains { devices.contains($0) })
        #expect(try await stage.begin(codes[3]) != nil)
        stage.server.clock.advance(by: .seconds(121))
        let stale = try await change(.makeCodes, in: session)
        #expect(stale.status == 403 && !stale.text.contains("<code>"))
    }

    @Test("A recovery stands on the page of its user in each language, and on no other, until it is ended there")
    func end() async throws {
        let session = session()
        #expect(try await change(.endRecovery, in: session).status == 404)
        let cookie = try await stage.opened()
        for language in PageLanguage.allCases {
            let texts = PageTexts(language: language)
            let devices = try await pages.devicesPage(of: stage.user, reader: reader(language)).text
            #expect(devices.contains(texts[.recoverNotMe]))
            let page = try await pages.recoverPage(reader: reader(language, recovery: cookie)).text
            #expect(page.contains(texts[.recoverInvite]) && page.contains("Old phone"))
            #expect(try await pages.recoverPage(reader: reader(language)).text.contains(texts[.recoverLead]))
        }
        let other = try await stage.server.services.users.add(name: "other")
        #expect(try await !pages.devicesPage(of: other, reader: reader()).text.contains("end-recovery"))
        let ended = try await change(.endRecovery, in: self.session())
        #expect(ended.status == 200 && ended.text.contains("<strong>0</strong>"))
        let over = try await pages.recoverPage(reader: reader(recovery: cookie)).text
        #expect(over.contains(PageTexts(language: .english)[.recoverOver]) && !over.contains("Old phone"))
    }

    @Test("Without recoveries in the settings there are no codes, no page and no link")
    func off() async throws {
        let off = try SignInPages(
            OpenIDServer(stage.server.services, transactions: stage.server.openID, settings: OpenIDSettings()),
            issuer: "https://login.example.com")
        #expect(!off.hasRecovery && !off.frontPage(hasDevices: true, reader: reader()).text.contains("/recover"))
        #expect(try await !off.devicesPage(of: stage.user, reader: reader()).text.contains("codes"))
        await #expect(throws: ServerError.notConfigured) { try await off.recoverPage(reader: reader()) }
        #expect(pages.frontPage(hasDevices: true, reader: reader()).text.contains("/recover"))
    }
}
