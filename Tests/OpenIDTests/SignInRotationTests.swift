import BackendAPI
import ServerCore
import TestSupport
import Testing
import UAF
import UAFService

@testable import OpenID

/// Rotation of the QR code of a sign-in page: each code is shown for one rotation and good for two.
@Suite("Sign-in page: rotation of the code")
struct SignInRotationTests {
    private let fixture: ProviderFixture
    private let services: OpenIDServices
    private let context = ClientContext()
    private let rotation = OpenIDSettings.Provider().codeRotation

    init() async throws {
        fixture = try await ProviderFixture()
        services = try fixture.services(
            confirming: Confirmations(fixture.server.services, transactions: fixture.server.openID))
    }

    private var server: TestServer { fixture.server }

    /// Begins a code on a page, or renews the one that is there.
    @discardableResult
    private func begin(_ page: (entry: OpenSignIn, browser: String)) async throws -> BegunConfirmation {
        try await services.starter.begin(
            .code, in: try await fixture.again(page.entry, browser: page.browser), client: context)
    }

    /// A page that has shown so many codes, each for one rotation, but for the last.
    private func page(codes count: Int = 2) async throws -> (entry: OpenSignIn, browser: String) {
        let page = try await fixture.open()
        for number in 0..<count {
            if number > 0 { server.clock.advance(by: rotation) }
            try await begin(page)
        }
        return page
    }

    /// Redeems the code of a number, counted from the end.
    private func redeem(last number: Int) async throws -> ReturnUAFRequest {
        let parcel = try #require(server.link.parcels.dropLast(number).last)
        return await server.redeem(try OutOfBandContent(body: Array(parcel.envelope.content.utf8)).token)
    }

    private func state(
        _ page: (entry: OpenSignIn, browser: String), unlike known: ConfirmationState? = nil,
        atMost wait: Duration = .zero
    ) async throws -> ConfirmationState {
        try await services.signIns.state(
            of: try await fixture.again(page.entry, browser: page.browser), unlike: known, atMost: wait)
    }

    @Test("A code is renewed after code-rotation, and ends one rotation later")
    func times() async throws {
        let begun = try await begin(try await fixture.open())
        #expect(begun.renewsAt == server.clock.now() + rotation)
        #expect(begun.expiresAt == server.clock.now() + rotation * 2)
    }

    @Test("Of eight requests that a page sends at the same time one begins, and the others leave nothing")
    func race() async throws {
        let page = try await fixture.open()
        let errors = await withTaskGroup(of: ServerError?.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    do throws(ServerError) {
                        _ = try await services.starter.begin(.code, in: page.entry, client: context)
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(errors.count { $0 == nil } == 1 && errors.count { $0 == .forbidden } == 7)
        let session = try await fixture.again(page.entry, browser: page.browser).session
        #expect(session.round == 1)
        let codes = try await server.openID.read { snapshot throws(ServerTransactionFailure) in
            try snapshot.operation(session.stage.ceremony ?? CeremonyID(from: server.random))
        }
        #expect(codes != nil && server.link.parcels.count == 1)
    }

    @Test("A phone that has scanned the code on the screen or the one before signs the page in", arguments: [0, 1])
    func overlap(last number: Int) async throws {
        let page = try await page()
        let request = try await redeem(last: number)
        #expect(try await state(page, unlike: .waiting, atMost: .seconds(25)) == .shown)
        _ = try await server.answer(request, with: fixture.phone)
        guard case .confirmed = try await state(page) else { return #expect(Bool(false), "it is not confirmed") }
        let confirmed = try await fixture.again(page.entry, browser: page.browser)
        #expect(try await services.signIns.finish(confirmed, client: context).query["code"] != nil)
    }

    @Test("The code before ends by its own time, and the code before last with the renewal")
    func ends() async throws {
        let page = try await page(codes: 3)
        #expect(try await redeem(last: 2).statusCode == .notFound)
        server.clock.advance(by: rotation - .milliseconds(1))
        let early = try await redeem(last: 1)
        #expect(early.statusCode == .ok)
        #expect(try await state(page) == .shown)
        _ = try await self.page()
        server.clock.advance(by: rotation)
        #expect(try await redeem(last: 1).statusCode == .requestTimeout)
        #expect(try await redeem(last: 0).statusCode == .ok)
    }

    @Test("Of the two codes one is taken, and while a phone has it the page begins no other")
    func taken() async throws {
        let page = try await page()
        let request = try await redeem(last: 1)
        #expect(try await redeem(last: 0).statusCode == .requestInvalid)
        await #expect(throws: ServerError.self) { try await begin(page) }
        #expect(try await state(page) == .shown)
        _ = try await server.answer(request, with: fixture.phone)
        await #expect(throws: ServerError.forbidden) { try await begin(page) }
        guard case .confirmed = try await state(page) else { return #expect(Bool(false), "it is not confirmed") }
    }

    @Test("After a refusal or its end a code is begun anew, and leaves none before it", arguments: [true, false])
    func anew(isRefused: Bool) async throws {
        let page = try await page(codes: 1)
        let first = try #require(try await fixture.again(page.entry, browser: page.browser).session.stage.ceremony)
        if isRefused {
            _ = try await server.report(try await redeem(last: 0))
            #expect(try await state(page) == .denied(isReported: true))
        } else {
            server.clock.advance(by: rotation * 2)
        }
        #expect(try await begin(page).id != first)
        _ = try await redeem(last: 1)
        #expect(try await state(page) == .waiting)
    }

    @Test("Called off, neither code is good any more")
    func calledOff() async throws {
        let page = try await page()
        _ = try await services.signIns.cancel(
            try await fixture.again(page.entry, browser: page.browser), client: context)
        for number in 0...1 { #expect(try await redeem(last: number).statusCode == .notFound) }
    }

    @Test("Digits are typed as the screen shows them last; a phone that compares them takes no code of before")
    func digits() async throws {
        for mode in [ChannelLinkingMethod.typed, .compare] {
            let linked = try await ProviderFixture(linking: mode)
            let services = try linked.services(
                confirming: Confirmations(linked.server.services, transactions: linked.server.openID))
            let page = try await linked.open()
            var begun: BegunConfirmation?
            for _ in 0..<2 {
                begun = try await services.starter.begin(
                    .code, in: try await linked.again(page.entry, browser: page.browser), client: context)
            }
            let parcel = try #require(linked.server.link.parcels.dropLast().last)
            let token = try OutOfBandContent(body: Array(parcel.envelope.content.utf8)).token
            let request = await linked.server.redeem(token)
            guard mode == .typed else {
                #expect(request.statusCode == .notFound)
                continue
            }
            let digits = try #require(begun?.digits?.digits)
            let answer = try await linked.server.answer(request, with: linked.phone, digits: digits)
            #expect(answer.message.statusCode == .ok)
        }
    }
}
