import BackendAPI
import Octets
import ServerCore
import TestSupport
import Testing

@testable import OpenID

@Suite("A sign-in belongs to one browser and ends once")
struct SignInSessionTests {
    private let fixture: ProviderFixture
    private let context = ClientContext(address: "192.0.2.1")

    init() async throws { fixture = try await ProviderFixture() }

    @Test("The page is there for its browser, for no other, for none, and not after its time")
    func ownBrowser() async throws {
        let (entry, browser) = try await fixture.open()
        let id = entry.session.id
        #expect(
            try await fixture.services.signIns.session(id, browser: ProviderFixture.cookies(browser: browser)) != nil)
        let other = Base64URL.encode([UInt8](repeating: 9, count: 32))
        for cookie in [nil, other, ""] {
            #expect(
                try await fixture.services.signIns.session(id, browser: ProviderFixture.cookies(browser: cookie)) == nil
            )
        }
        fixture.server.clock.advance(by: fixture.settings.sessionLifetime)
        #expect(
            try await fixture.services.signIns.session(id, browser: ProviderFixture.cookies(browser: browser)) == nil)
    }

    @Test("A browser with several pages keeps its cookie; one that it has not from us is replaced")
    func cookie() async throws {
        let (_, browser) = try await fixture.open()
        let second = try await fixture.authorize(browser: browser)
        #expect(second.cookie(BrowserCookies.browserName) == browser)
        let third = try await fixture.authorize(browser: "chosen")
        #expect(third.cookie(BrowserCookies.browserName) != "chosen")
    }

    @Test("The order names the client, its origin and the session, and a sign-in is signed as a text")
    func order() async throws {
        let (entry, _) = try await fixture.open(["acr_values": Assurance.chip.rawValue])
        _ = try await fixture.services.starter.begin(.code, in: entry, client: context)
        let order = try #require(fixture.confirmations.orders.last)
        #expect(order.initiator == .client(entry.client.id) && order.isForPage)
        #expect(order.text == "Sign in: Shop\nhttps://shop.example.com")
        #expect(order.session == entry.session.id.text)
        #expect(order.assurance == .chip)
    }

    @Test("It ends only when the phone has confirmed, and then once")
    func once() async throws {
        let (entry, browser) = try await fixture.open()
        await #expect(throws: ServerError.forbidden) {
            try await fixture.services.signIns.finish(entry, client: context)
        }
        let begun = try await fixture.services.starter.begin(.code, in: entry, client: context)
        let waiting = try await fixture.again(entry, browser: browser)
        await #expect(throws: ServerError.forbidden) {
            try await fixture.services.signIns.finish(waiting, client: context)
        }
        fixture.confirmations.answer(begun.id, .denied(isReported: false))
        await #expect(throws: ServerError.forbidden) {
            try await fixture.services.signIns.finish(waiting, client: context)
        }
        try await fixture.confirm(begun)
        let answer = try await fixture.services.signIns.finish(waiting, client: context)
        #expect(answer.query["code"] != nil)
        #expect(answer.cookie(BrowserCookies.providerName)?.utf8.count == 43)
        await #expect(throws: ServerError.forbidden) {
            try await fixture.services.signIns.finish(waiting, client: context)
        }
        let cookies = ProviderFixture.cookies(browser: browser)
        #expect(try await fixture.services.signIns.session(entry.session.id, browser: cookies) == nil)
    }

    @Test("Ended twice in parallel it yields one code")
    func parallel() async throws {
        let (entry, browser) = try await fixture.open()
        try await fixture.confirm(try await fixture.services.starter.begin(.code, in: entry, client: context))
        let waiting = try await fixture.again(entry, browser: browser)
        let codes = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<2 {
                group.addTask { try? await fixture.services.signIns.finish(waiting, client: context).query["code"] }
            }
            return await group.reduce(into: [String]()) { found, code in
                if let code { found.append(code) }
            }
        }
        #expect(codes.count == 1)
    }

    @Test("A confirmation of another text is none for this page")
    func otherText() async throws {
        let (entry, browser) = try await fixture.open()
        let begun = try await fixture.services.starter.begin(.code, in: entry, client: context)
        try await fixture.confirm(begun, text: "Sign in: Evil\nhttps://evil.example")
        let waiting = try await fixture.again(entry, browser: browser)
        await #expect(throws: ServerError.forbidden) {
            try await fixture.services.signIns.finish(waiting, client: context)
        }
    }

    @Test("A weaker key than the client accepts yields an error for the client and no code")
    func weakKey() async throws {
        let (entry, browser) = try await fixture.open(["acr_values": Assurance.chipWithPIN.rawValue])
        try await fixture.confirm(
            try await fixture.services.starter.begin(.code, in: entry, client: context), assurance: .chip)
        let answer = try await fixture.services.signIns.finish(
            try await fixture.again(entry, browser: browser), client: context)
        #expect(answer.query["error"] == "unmet_authentication_requirements")
        #expect(answer.query["code"] == nil)
    }

    @Test("A further code takes the place of the one before; after a confirmation there is none")
    func rotation() async throws {
        let (entry, browser) = try await fixture.open()
        _ = try await fixture.services.starter.begin(.code, in: entry, client: context)
        let second = try await fixture.again(entry, browser: browser)
        #expect(second.session.round == 1)
        let begun = try await fixture.services.starter.begin(.code, in: second, client: context)
        await #expect(throws: ServerError.forbidden) {
            try await fixture.services.starter.begin(.code, in: second, client: context)
        }
        try await fixture.confirm(begun)
        let third = try await fixture.again(entry, browser: browser)
        await #expect(throws: ServerError.forbidden) {
            try await fixture.services.starter.begin(.code, in: third, client: context)
        }
    }

    @Test("A code after a push is another ceremony, and so is a push after a code")
    func channels() async throws {
        let (entry, browser) = try await fixture.open()
        var ids: Set<CeremonyID> = []
        for channel in [SignInChannel.code, .push(username: "unknown"), .code, .code] {
            let page = try await fixture.again(entry, browser: browser)
            ids.insert(try await fixture.services.starter.begin(channel, in: page, client: context).id)
        }
        #expect(ids.count == 3)
    }

    @Test("A page begins as many ceremonies as its codes need in its life, and some more")
    func rounds() async throws {
        let (entry, browser) = try await fixture.open()
        let limit = SignInPageSessions.roundLimit(OpenIDSettings.Provider())
        #expect(limit == 133)
        for _ in 0..<limit {
            _ = try await fixture.services.starter.begin(
                .code, in: try await fixture.again(entry, browser: browser), client: context)
        }
        let full = try await fixture.again(entry, browser: browser)
        await #expect(throws: ServerError.tooManyOperations(retryAfter: .seconds(600))) {
            try await fixture.services.starter.begin(.code, in: full, client: context)
        }
    }

    @Test("A page asks for five pushes, to whomever")
    func pushesOfPage() async throws {
        let (entry, browser) = try await fixture.open()
        for number in 0..<SignInPageSessions.pushLimit {
            _ = try await fixture.services.starter.begin(
                .push(username: "absent\(number)"), in: try await fixture.again(entry, browser: browser),
                client: context)
        }
        let full = try await fixture.again(entry, browser: browser)
        await #expect(throws: ServerError.tooManyOperations(retryAfter: SignInPageSessions.pushWindow)) {
            try await fixture.services.starter.begin(.push(username: "another"), in: full, client: context)
        }
        let (other, _) = try await fixture.open()
        _ = try await fixture.services.starter.begin(.push(username: "another"), in: other, client: context)
    }

    @Test("Called off, it tells the client so, once")
    func cancel() async throws {
        let (entry, _) = try await fixture.open()
        let answer = try await fixture.services.signIns.cancel(entry, client: context)
        #expect(answer.query["error"] == "access_denied")
        #expect(answer.query["state"] == "st/a te&=1")
        await #expect(throws: ServerError.forbidden) {
            try await fixture.services.signIns.cancel(entry, client: context)
        }
    }

    // MARK: - Push

    @Test("A push to an unknown name, and one that fails for a reason of its user, look like one that is not taken")
    func decoys() async throws {
        for (name, error) in [
            ("unknown", nil), ("jeff", ServerError.policyViolation), ("jeff", .quietHours(retryAfter: .seconds(9))),
            ("jeff", .tooManyOperations(retryAfter: .seconds(9))), ("jeff", .undelivered(retryAfter: .seconds(9))),
        ] as [(String, ServerError?)] {
            let (entry, browser) = try await fixture.open()
            fixture.confirmations.refuse(error)
            let begun = try await fixture.services.starter.begin(.push(username: name), in: entry, client: context)
            fixture.confirmations.refuse(nil)
            #expect(begun.digits?.digits.utf8.count == 2)
            #expect(begun.link == nil)
            let waiting = try await fixture.again(entry, browser: browser)
            #expect(try await fixture.services.signIns.state(of: waiting, unlike: nil, atMost: .zero) == .waiting)
            await #expect(throws: ServerError.forbidden) {
                try await fixture.services.signIns.finish(waiting, client: context)
            }
        }
    }

    @Test("A push to an unknown name shows as many digits as a push of this server has")
    func decoyDigits() async throws {
        let six = try await ProviderFixture(digitCount: 6)
        let (entry, _) = try await six.open()
        let begun = try await six.services.starter.begin(.push(username: "unknown"), in: entry, client: context)
        let digits = try #require(begun.digits?.digits)
        #expect(digits.utf8.count == 6 && digits.allSatisfy(\.isNumber))
    }

    @Test("A push to an unknown name is answered as late as one that a push service has taken")
    func decoyTime() async throws {
        let (clock, service) = (fixture.server.clock, Duration.milliseconds(300))
        fixture.confirmations.whenever(begun: { clock.advance(by: service) })
        for (name, rest) in [("jeff", Duration.seconds(1) - service), ("unknown", .seconds(1)), ("", .seconds(1))] {
            let (entry, _) = try await fixture.open()
            let count = fixture.confirmations.waits.count
            _ = try await fixture.services.starter.begin(.push(username: name), in: entry, client: context)
            #expect(Array(fixture.confirmations.waits.dropFirst(count)) == [rest], "\(name)")
        }
        let (entry, _) = try await fixture.open()
        let count = fixture.confirmations.waits.count
        _ = try await fixture.services.starter.begin(.code, in: entry, client: context)
        #expect(fixture.confirmations.waits.count == count, "a code has no user")
    }

    @Test("A push that is not taken expires as a real one does")
    func decoyExpiry() async throws {
        let (entry, browser) = try await fixture.open()
        _ = try await fixture.services.starter.begin(.push(username: "unknown"), in: entry, client: context)
        fixture.server.clock.advance(by: .seconds(120))
        let waiting = try await fixture.again(entry, browser: browser)
        #expect(try await fixture.services.signIns.state(of: waiting, unlike: nil, atMost: .zero) == .expired)
    }

    @Test("Pushes to one name are counted alike whether a user has it", arguments: ["jeff", "unknown"])
    func pushLimit(name: String) async throws {
        for _ in 0..<5 {
            let (entry, _) = try await fixture.open()
            _ = try await fixture.services.starter.begin(.push(username: name), in: entry, client: context)
        }
        let (entry, _) = try await fixture.open()
        await #expect(throws: ServerError.tooManyOperations(retryAfter: .seconds(300))) {
            try await fixture.services.starter.begin(.push(username: name), in: entry, client: context)
        }
    }

    // MARK: - Bounds

    /// Opens pages of other browsers as rows, as many addresses would.
    private func fill(_ count: Int, like session: AuthorizationSession) async throws {
        for _ in 0..<(count / 1_000) {
            let random = fixture.server.random
            let rows = (0..<1_000).map { _ in
                AuthorizationSession(
                    id: AuthorizationSessionID(from: random), browser: BrowserHash(of: random.bytes(count: 8)),
                    parameters: session.parameters, createdAt: session.createdAt, expiresAt: session.expiresAt)
            }
            try await fixture.server.openID.transaction { transaction throws(ServerTransactionFailure) -> Void in
                for row in rows { try transaction.insert(row) }
            }
        }
    }

    @Test("Beside ten thousand open pages, and as many as there may be, a person signs in; all end by their time")
    func manyPages() async throws {
        let (first, _) = try await fixture.open()
        try await fill(10_000, like: first.session)
        #expect(try await fixture.signIn().query["code"] != nil)
        try await fill(10_000, like: first.session)
        #expect(try await fixture.signIn().query["code"] != nil)
        fixture.server.clock.advance(by: fixture.settings.sessionLifetime)
        let now = fixture.server.clock.now()
        var removed = 0
        var part = 0
        repeat {
            part = try await fixture.server.openID.transaction { transaction throws(ServerTransactionFailure) in
                try transaction.removeAuthorizationRows(expiredBefore: now + .seconds(1), limit: 5_000)
            }
            removed += part
        } while part > 0
        #expect(removed >= 20_000)
        #expect(try await fixture.signIn().query["code"] != nil)
    }
}
