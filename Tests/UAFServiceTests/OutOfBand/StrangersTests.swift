import BackendAPI
import OpenID
import ServerCore
import TestSupport
import Testing
import UAF
import UAFService

@Suite("A stranger who knows a user name keeps none of the user's systems from the phone (SRV-5, SA-4)")
struct StrangersTests {
    private let stage: OutOfBandStage
    private let shop: Initiator

    init() async throws {
        stage = try await OutOfBandStage { $0.outOfBand.limits = OperationLimits() }
        shop = .client(try #require(ClientID("shop")))
    }

    private var server: TestServer { stage.server }

    /// A push that a visitor of a page of the shop asks for; nil when it is refused, which the page does not show.
    @discardableResult
    private func pagePush(_ page: Int) async throws -> BegunConfirmation? {
        var order = ConfirmationOrder(initiator: shop, channel: .push(stage.user, nil))
        order.isForPage = true
        order.session = "page \(page)"
        return try? await Confirmations(server.services, transactions: server.openID).begin(
            order, client: ClientContext())
    }

    /// A push of the shop itself, by CIBA; throws when it is refused.
    private func push() async throws -> BegunConfirmation {
        try await Confirmations(server.services, transactions: server.openID).begin(
            ConfirmationOrder(initiator: shop, channel: .push(stage.user, nil)), client: ClientContext())
    }

    private func state(_ begun: BegunConfirmation) async throws -> ConfirmationState {
        try await Confirmations(server.services, transactions: server.openID).state(
            of: begun.id, for: shop, unlike: nil, atMost: .zero)
    }

    /// The request of the message that the phone got last.
    private func redeemed() async throws -> ReturnUAFRequest {
        let parcel = try #require(server.push.parcels.last)
        return await server.redeem(try stage.device.content(of: parcel).token)
    }

    @Test("Beside a page that pushes each minute, nine of nine requests by CIBA reach the phone and are confirmed")
    func everyMinute() async throws {
        let asked = [1, 121, 137, 242, 272, 362, 422, 482, 602]
        var pending: (begun: BegunConfirmation, request: ReturnUAFRequest)?
        var confirmed = 0
        for second in 0...640 {
            if second % 60 == 1 { try await pagePush(second) }
            if asked.contains(second), let begun = try? await push() { pending = (begun, try await redeemed()) }
            // The user needs some seconds; a second press of the stranger falls into them.
            if asked.contains(second - 5) { try await pagePush(second) }
            if asked.contains(second - 10), let (begun, request) = pending {
                _ = try await server.answer(request, with: stage.phone)
                if case .confirmed = try await state(begun) { confirmed += 1 }
                pending = nil
            }
            server.clock.advance(by: .seconds(1))
        }
        #expect(confirmed == asked.count)
    }

    @Test("A push of a page yields to a push of a system, and none is begun while one waits")
    func yielding() async throws {
        let page = try #require(try await pagePush(1))
        let own = try await push()
        #expect(try await state(page) == .expired)
        #expect(try await pagePush(2) == nil)
        #expect(try await state(own) == .waiting)
    }

    @Test("SA-6: Page pushes that are refused have no record each: the summary says how many were for which user")
    func counted() async throws {
        for page in 0..<40 { try await pagePush(page) }
        #expect(
            try await server.auditKinds().filter { $0.hasPrefix("TOKEN") } == ["TOKEN_CREATED", "TOKEN_DISPATCHED"])
        #expect(try await !server.auditKinds().contains("DISPATCH_REFUSED"))
        let summary = try #require(try await server.countedRefusals())
        #expect(summary.contains("39 refusals"))
        #expect(
            summary.contains("dispatch: anotherOperationIsPending 39")
                && summary.contains("user \(stage.user.id.text) 39"))
    }

    @Test("Reports of what pages have pushed stop the pages, and no system")
    func reported() async throws {
        for page in 1...2 {
            _ = try #require(try await pagePush(page))
            #expect(try await server.report(try await redeemed()) == .unacceptableContent)
        }
        server.clock.advance(by: .seconds(120))
        #expect(try await pagePush(3) == nil)
        _ = try await push()
    }

    @Test("Reports and pushes of systems count against pages, too")
    func reportedSystem() async throws {
        for _ in 1...2 {
            _ = try await push()
            #expect(try await server.report(try await redeemed()) == .unacceptableContent)
        }
        server.clock.advance(by: .seconds(120))
        #expect(try await pagePush(1) == nil)
    }

    @Test("A-7: A thousand presses in ten minutes are five messages to the phone")
    func pressing() async throws {
        for page in 0..<1_000 {
            try await pagePush(page)
            server.clock.advance(by: .milliseconds(599))
        }
        #expect(server.push.parcels.count == 5)
    }
}
