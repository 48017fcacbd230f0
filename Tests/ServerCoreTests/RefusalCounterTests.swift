import BackendAPI
import TestSupport
import Testing
import UAF

@testable import ServerCore

@Suite("Refusals that strangers can cause")
struct RefusalCounterTests {
    private let phone: SyntheticAuthenticator
    private let server: TestServer

    init() async throws {
        phone = try SyntheticAuthenticator()
        server = try await TestServer(authenticators: [phone])
        try await server.register(phone, for: try await server.services.users.add(name: "anna"))
    }

    @Test("S-H6: four hundred replays of a used-up answer are one record of the audit, when the window is over")
    func replays() async throws {
        let answer = try server.client.answer(try await server.authenticationRequest(for: nil), with: [phone])
        #expect(await server.answerAuthentication(answer).message.statusCode == .ok)
        let before = try await server.auditKinds().count
        for _ in 0..<400 {
            #expect(await server.answerAuthentication(answer).message.statusCode == .requestInvalid)
        }
        let written = try await server.auditKinds().count - before
        #expect(written <= RefusalCounter.shownLimit, "what fails the counter check has a few records of its own")
        await server.services.maintain()
        #expect(try await server.auditKinds().count == before + written, "the window goes on")
        server.clock.advance(by: RefusalCounter.window)
        await server.services.maintain()
        let texts = try await server.auditTexts()
        #expect(texts.count == before + written + 1)
        #expect(
            texts.last?.contains("REFUSALS_COUNTED") == true && texts.last?.contains("400 refusals in 600 s") == true)
        server.clock.advance(by: RefusalCounter.window)
        await server.services.maintain()
        #expect(try await server.auditKinds().count == texts.count, "nothing happened in the second window")
    }

    @Test("S-H6: answers that no key has signed have ten records for an address and are counted beyond")
    func unsigned() async throws {
        let before = try await server.auditKinds().count
        let stranger = try SyntheticAuthenticator()
        for _ in 0..<40 {
            let request = try await server.authenticationRequest(for: "anna")
            let answer = try server.client.answer(request, with: [stranger])
            #expect(await server.answerAuthentication(answer).message.statusCode != .ok)
        }
        #expect(try await server.auditKinds().count - before <= RefusalCounter.shownLimit)
    }

    @Test("S-H6: what succeeds has a record each, also while strangers fill the window")
    func signed() async throws {
        let stranger = try SyntheticAuthenticator()
        for _ in 0..<20 {
            let request = try await server.authenticationRequest(for: "anna")
            _ = await server.answerAuthentication(try server.client.answer(request, with: [stranger]))
        }
        let before = try await server.auditKinds().count
        for _ in 0..<12 {
            #expect(try await server.authenticate("anna", with: phone).message.statusCode == .ok)
        }
        #expect(try await server.auditKinds().count == before + 12)
    }

    @Test("The counts take bounded memory and name the addresses with the most refusals")
    func bounds() throws {
        let counter = RefusalCounter()
        let now = ManualClock.start
        var shown = 0
        for number in 0..<3_000 where counter.count("replay", from: "\(number)", at: now) { shown += 1 }
        for _ in 0..<5 { _ = counter.count("forged", from: "7", at: now) }
        #expect(shown == RefusalCounter.shownTotal)
        #expect(counter.takeSummary(at: now + .seconds(599)) == nil)
        let summary = try #require(counter.takeSummary(at: now + .seconds(600)))
        #expect(summary.total == 3_005)
        #expect(summary.addressCount == RefusalCounter.addressLimit + 1)
        #expect(summary.addresses.count == RefusalCounter.namedLimit)
        #expect(summary.addresses.first == .init(name: "others", count: 2_000))
        #expect(summary.addresses.dropFirst().first == .init(name: "7", count: 6))
        #expect(summary.reasons.map(\.name) == ["replay", "forged"])
        #expect(counter.takeSummary(at: now + .seconds(600), isLast: true) == nil)
    }
}
