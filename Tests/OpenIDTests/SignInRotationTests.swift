import ServerCore
import Testing

@testable import OpenID

/// Rotation of the QR code of a sign-in page: each code is shown for one rotation and good for two.
@Suite("Sign-in page: rotation of the code")
struct SignInRotationTests {
    private let fixture: ProviderFixture
    private let context = ClientContext()

    init() async throws { fixture = try await ProviderFixture() }

    /// A page that has shown its first code, and then the second one.
    private func rotated() async throws -> (page: OpenSignIn, browser: String, first: CeremonyID, second: CeremonyID) {
        let (entry, browser) = try await fixture.open()
        let first = try await fixture.services.starter.begin(.code, in: entry, client: context)
        let second = try await fixture.services.starter.begin(
            .nextCode, in: try await fixture.again(entry, browser: browser), client: context)
        return (try await fixture.again(entry, browser: browser), browser, first.id, second.id)
    }

    @Test("A code is renewed after code-rotation, and ends one rotation later")
    func times() async throws {
        let (entry, _) = try await fixture.open()
        let begun = try await fixture.services.starter.begin(.code, in: entry, client: context)
        let rotation = OpenIDSettings.Provider().codeRotation
        let renewsAt = try #require(begun.renewsAt)
        #expect(begun.expiresAt - renewsAt == rotation)
        #expect(fixture.confirmations.orders.last?.lifetime == rotation * 2)
    }

    @Test("A phone that confirms the code before signs this page in")
    func codeBefore() async throws {
        let (page, browser, first, _) = try await rotated()
        try await fixture.confirm(first)
        guard
            case .confirmed(let confirmation) = try await fixture.services.signIns.state(
                of: page, unlike: nil, atMost: .zero)
        else { return #expect(Bool(false), "the page is not confirmed") }
        #expect(confirmation.id == first)
        let confirmed = try await fixture.again(page, browser: browser)
        #expect(confirmed.session.stage == .confirmed(first))
        #expect(try await fixture.services.signIns.finish(confirmed, client: context).query["code"] != nil)
    }

    @Test("A phone that confirms the code before is found by the end alone, too")
    func endAlone() async throws {
        let (page, _, first, _) = try await rotated()
        try await fixture.confirm(first)
        #expect(try await fixture.services.signIns.finish(page, client: context).query["code"] != nil)
    }

    @Test("While the phone shows the code before, the page follows that one and its refusal", arguments: [false, true])
    func shown(isReported: Bool) async throws {
        let (page, browser, first, second) = try await rotated()
        fixture.confirmations.answer(first, .shown)
        #expect(try await fixture.services.signIns.state(of: page, unlike: nil, atMost: .zero) == .shown)
        let following = try await fixture.again(page, browser: browser)
        #expect(following.session.stage == .confirming(first))
        fixture.confirmations.answer(second, .expired)
        fixture.confirmations.answer(first, .denied(isReported: isReported))
        let state = try await fixture.services.signIns.state(of: following, unlike: .shown, atMost: .zero)
        #expect(state == .denied(isReported: isReported))
    }

    @Test("When phones have taken both codes, the one on the screen counts")
    func both() async throws {
        let (page, browser, first, second) = try await rotated()
        fixture.confirmations.answer(first, .shown)
        fixture.confirmations.answer(second, .shown)
        #expect(try await fixture.services.signIns.state(of: page, unlike: nil, atMost: .zero) == .shown)
        #expect(try await fixture.again(page, browser: browser).session.stage == .confirming(second, previous: first))
        try await fixture.confirm(second)
        let end = try await fixture.services.signIns.finish(
            try await fixture.again(page, browser: browser), client: context)
        #expect(end.query["code"] != nil)
    }

    @Test("The code before last is good for nothing")
    func codeBeforeLast() async throws {
        let (page, browser, first, second) = try await rotated()
        let third = try await fixture.services.starter.begin(.nextCode, in: page, client: context)
        let now = try await fixture.again(page, browser: browser)
        #expect(now.session.stage == .confirming(third.id, previous: second))
        try await fixture.confirm(first)
        #expect(try await fixture.services.signIns.state(of: now, unlike: nil, atMost: .zero) == .waiting)
        await #expect(throws: ServerError.forbidden) { try await fixture.services.signIns.finish(now, client: context) }
        try await fixture.confirm(second)
        #expect(try await fixture.services.signIns.finish(now, client: context).query["code"] != nil)
    }

    @Test("A code that is begun anew, as after a refusal, leaves none before it", arguments: [true, false])
    func anew(isPush: Bool) async throws {
        let (page, browser, _, second) = try await rotated()
        let channel: SignInChannel = isPush ? .push(username: "nobody") : .code
        let begun = try await fixture.services.starter.begin(channel, in: page, client: context)
        let now = try await fixture.again(page, browser: browser)
        #expect(now.session.stage == .confirming(begun.id))
        try await fixture.confirm(second)
        #expect(try await fixture.services.signIns.state(of: now, unlike: nil, atMost: .zero) == .waiting)
    }

    @Test("Whichever of the two codes a phone takes, the wait for news ends", arguments: [true, false])
    func wait(isFirst: Bool) async throws {
        let (page, _, first, second) = try await rotated()
        fixture.confirmations.answer(isFirst ? first : second, .shown)
        #expect(try await fixture.services.signIns.state(of: page, unlike: .waiting, atMost: .seconds(25)) == .shown)
    }

    @Test("Called off, both codes are")
    func calledOff() async throws {
        let (page, _, first, second) = try await rotated()
        _ = try await fixture.services.signIns.cancel(page, client: context)
        for id in [first, second] {
            let state = try await fixture.confirmations.state(
                of: id, for: .client(page.client.id), unlike: nil, atMost: .zero, pretendedUntil: nil)
            #expect(state == .expired)
        }
    }
}
