import BackendAPI
import OpenID
import ServerCore
import TestSupport
import Testing
import UAF
import UAFService

@Suite("Orders of web sites: one way to the phone, followed by the site that has placed them")
struct ConfirmationTests {
    private let stage: OutOfBandStage
    private let shop: Initiator
    private let bank: Initiator

    init() async throws {
        stage = try await OutOfBandStage()
        shop = .client(try #require(ClientID("shop")))
        bank = .client(try #require(ClientID("bank")))
    }

    private var server: TestServer { stage.server }

    private var confirmations: Confirmations { Confirmations(server.services, transactions: server.openID) }

    private func begin(
        _ channel: ConfirmationOrder.Channel, text: String? = nil, assurance: Assurance? = nil
    ) async throws -> BegunConfirmation {
        var order = ConfirmationOrder(initiator: shop, channel: channel)
        order.text = text
        order.assurance = assurance
        return try await confirmations.begin(order, client: ClientContext())
    }

    private func state(_ id: CeremonyID, for initiator: Initiator? = nil) async throws -> ConfirmationState {
        try await confirmations.state(
            of: id, for: initiator ?? shop, unlike: nil, atMost: .zero)
    }

    /// The request behind the order that was begun last, as a phone gets it that has read what is pending.
    private func redeemed(_ begun: BegunConfirmation) async throws -> ReturnUAFRequest {
        let envelope = try #require(begun.link).text
        let content = try #require(server.link.parcels.last).envelope.content
        #expect(envelope == server.link.parcels.last?.envelope.text)
        return await server.redeem(try OutOfBandContent(body: Array(content.utf8)).token)
    }

    @Test("A confirmed order says who, when, how well protected and what; another client learns nothing")
    func confirmed() async throws {
        let begun = try await begin(.code(stage.user), text: "Pay 10 EUR")
        #expect(try await state(begun.id) == .waiting)
        let request = try await redeemed(begun)
        #expect(try await state(begun.id) == .shown)
        #expect(try await server.answer(request, with: stage.phone).message.statusCode == .ok)
        guard case .confirmed(let confirmation) = try await state(begun.id) else {
            Issue.record("not confirmed")
            return
        }
        #expect(confirmation.user.id == stage.user.id && confirmation.text == "Pay 10 EUR")
        #expect(confirmation.assurance == .key && confirmation.evidence.registrations.count == 1)
        #expect(try await state(begun.id, for: bank) == .unknown)
    }

    @Test("A confirmed order of a user who is locked since does not hold any more")
    func locked() async throws {
        let begun = try await begin(.code(stage.user))
        _ = try await server.answer(try await redeemed(begun), with: stage.phone)
        try await server.services.users.lock(named: "jeff")
        #expect(try await state(begun.id) == .expired)
    }

    @Test("A reported order is denied; one that is not taken expires, and is forgotten")
    func ends() async throws {
        let reported = try await begin(.code(stage.user))
        _ = try await server.report(try await redeemed(reported))
        #expect(try await state(reported.id) == .denied(isReported: true))
        let late = try await begin(.code(stage.user))
        server.clock.advance(by: .seconds(120))
        #expect(try await state(late.id) == .expired)
        server.clock.advance(by: .seconds(300))
        #expect(try await state(late.id) == .unknown)
    }

    @Test("Only who has placed an order calls it off")
    func cancel() async throws {
        let begun = try await begin(.code(stage.user))
        try await confirmations.cancel(begun.id, for: bank, client: ClientContext())
        #expect(try await state(begun.id) == .waiting)
        try await confirmations.cancel(begun.id, for: shop, client: ClientContext())
        #expect(try await state(begun.id) == .expired)
    }

    @Test("What has ended is not called off any more: it stays as it was, and no record says otherwise")
    func cancelledLate() async throws {
        let begun = try await begin(.code(stage.user))
        let request = try await redeemed(begun)
        #expect(try await server.answer(request, with: stage.phone).message.statusCode == .ok)
        let before = try await server.auditTexts()
        try await confirmations.cancel(begun.id, for: shop, client: ClientContext())
        guard case .confirmed = try await state(begun.id) else { return #expect(Bool(false), "it is not confirmed") }
        #expect(try await server.auditTexts() == before)
        let other = try await begin(.code(stage.user))
        try await confirmations.cancel(other.id, for: shop, client: ClientContext())
        #expect(try await server.auditTexts().last?.contains("OPERATION_CANCELLED") == true)
    }

    @Test("A key that is weaker than asked for is not asked, and neither is a user without a phone")
    func assurance() async throws {
        await #expect(throws: ServerError.policyViolation) {
            _ = try await begin(.push(stage.user, nil), assurance: .chip)
        }
        await #expect(throws: ServerError.policyViolation) {
            _ = try await begin(.code(stage.user), assurance: .chipWithPIN)
        }
        let anna = try await server.services.users.add(name: "anna")
        await #expect(throws: ServerError.policyViolation) { _ = try await begin(.push(anna, nil)) }
        #expect(server.push.parcels.isEmpty)
        let begun = try await begin(.code(nil), assurance: .chip)
        #expect(try await server.answer(try await redeemed(begun), with: stage.phone).message.statusCode == .ok)
        #expect(try await state(begun.id) == .expired)
    }

    @Test(
        "A push service that takes nothing is told apart from a user who has no phone",
        arguments: DispatchFailure.allCases)
    func undelivered(failure: DispatchFailure) async throws {
        server.push.fail(failure)
        let error: ServerError = failure == .unregistered ? .policyViolation : .undelivered(retryAfter: .seconds(30))
        await #expect(throws: error) { _ = try await begin(.push(stage.user, nil)) }
        server.push.fail(nil)
        if failure != .unregistered { _ = try await begin(.push(stage.user, nil)) }
    }

    @Test("A push goes to the device registered last; a text that cannot be shown is refused")
    func push() async throws {
        _ = try await begin(.push(stage.user, nil), text: "Pay 10 EUR")
        #expect(server.push.parcels.count == 1)
        for text in ["", String(repeating: "a", count: 4_097), "Pay\u{202E}10"] {
            await #expect(throws: ServerError.malformedRequest) {
                _ = try await begin(.push(stage.user, nil), text: text)
            }
        }
        #expect(server.push.parcels.count == 1)
    }
}
