import BackendAPI
import ServerCore
import ServerPersistence
import TestSupport
import Testing
import UAF
import UAFService

@testable import OpenID

@Suite("What a visitor of a sign-in page begins has no records before a key has signed (SRV-20, SA-6)")
struct StrangersCodesTests {
    private let fixture: ProviderFixture
    private let services: OpenIDServices
    private let context = ClientContext(address: "192.0.2.1")

    init() async throws {
        fixture = try await ProviderFixture()
        services = try fixture.services(
            confirming: Confirmations(fixture.server.services, transactions: fixture.server.openID))
    }

    private var server: TestServer { fixture.server }

    private func begin(on page: (entry: OpenSignIn, browser: String)) async throws -> BegunConfirmation {
        try await services.starter.begin(
            .code, in: try await fixture.again(page.entry, browser: page.browser), client: context)
    }

    /// Begins a code on a page and redeems it.
    private func redeemed(on page: (entry: OpenSignIn, browser: String)) async throws -> ReturnUAFRequest {
        _ = try await begin(on: page)
        let content = try #require(server.link.parcels.last).envelope.content
        return await server.redeem(try OutOfBandContent(body: Array(content.utf8)).token, from: context)
    }

    private func operations() async throws -> Int {
        let count = try await server.database.read { connection throws(ServerPersistenceError) in
            try connection.row("SELECT COUNT(*) FROM operations", [])?.values.first
        }
        guard case .integer(let count)? = count else { return -1 }
        return Int(count)
    }

    /// Record of what was counted in the window that is over; nil when there is none.
    private func counted(_ kind: String) async throws -> String? {
        // What has timed out is written down in one round, and summed up in a later one.
        for time in [fixture.settings.codeRotation * 2, RefusalCounter.window] {
            server.clock.advance(by: time)
            await server.services.maintain()
        }
        return try await server.auditTexts().last { $0.contains(kind) }
    }

    @Test("The 133 codes that a page begins are one row and no record, and are summed up when the window is over")
    func loop() async throws {
        let page = try await fixture.open()
        let before = try await server.auditKinds()
        let rows = try await operations()
        let limit = SignInPageSessions.roundLimit(fixture.settings)
        for _ in 0..<limit { _ = try await begin(on: page) }
        #expect(try await operations() == rows + 1)
        #expect(try await server.auditKinds() == before)
        let summary = try #require(try await counted("CODES_COUNTED"))
        #expect(summary.contains("shown \(limit), timed out 1, 192.0.2.1 \(limit)"))
        #expect(try await server.auditKinds() == before + ["CODES_COUNTED"])
    }

    @Test("A stranger who redeems codes, reports them or lets them pass writes no record")
    func reports() async throws {
        let page = try await fixture.open()
        let before = try await server.auditKinds()
        for _ in 0..<3 {
            let request = try await redeemed(on: page)
            #expect(try await server.report(request, from: context) == .unacceptableContent)
        }
        _ = try await redeemed(on: page)
        _ = try await services.signIns.cancel(
            try await fixture.again(page.entry, browser: page.browser), client: context)
        let other = try await fixture.open()
        _ = try await begin(on: other)
        #expect(try await server.auditKinds() == before)
        let summary = try #require(try await counted("CODES_COUNTED"))
        #expect(summary.contains("shown 5, taken by a phone 4, timed out 1"))
        #expect(try await server.auditTexts().last { $0.contains("REFUSALS_COUNTED") }?.contains("3 refusals") == true)
        #expect(Set(try await server.auditKinds().dropFirst(before.count)) == ["CODES_COUNTED", "REFUSALS_COUNTED"])
    }

    @Test("A sign-in that a key has signed has a record of its redemption, of the answer and of what the browser got")
    func honest() async throws {
        let page = try await fixture.open()
        let before = try await server.auditTexts().count
        let begun = try await begin(on: page)
        let request = try await redeemed(on: page)
        #expect(try await server.answer(request, with: fixture.phone).message.statusCode == .ok)
        let entry = try await fixture.again(page.entry, browser: page.browser)
        #expect(try await services.signIns.finish(entry, client: context).query["code"] != nil)
        #expect(
            try await server.auditKinds().dropFirst(before)
                == ["TOKEN_REDEEMED", "SIGNED_IN", "CLIENT_GRANT_ISSUED"])
        let records = try await server.auditTexts().dropFirst(before)
        #expect(records.allSatisfy { $0.contains(begun.id.text) && $0.contains(fixture.user.id.text) })
        #expect(records.first?.contains("client:shop") == true)
        #expect(records.last?.contains("192.0.2.1") == true)
        let signedIn = try #require(records.dropFirst().first)
        #expect(signedIn.contains(#""channel":"code""#) && signedIn.contains(#""username":"jeff""#))
    }
}
