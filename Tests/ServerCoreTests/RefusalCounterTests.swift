import BackendAPI
import TestSupport
import Testing
import UAF
import UAFService

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
        await server.services.maintain()
        #expect(try await server.auditKinds().count == before, "the window goes on")
        let summary = try #require(try await server.countedRefusals())
        #expect(summary.contains("400 refusals in 600 s"))
        #expect(try await server.auditKinds().count == before + 1)
        _ = try await server.countedRefusals()
        #expect(try await server.auditKinds().count == before + 1, "nothing happened in the second window")
    }

    @Test("S-H6: answers that no key has signed have no record each, from the first on; they are counted")
    func unsigned() async throws {
        let before = try await server.auditKinds().count
        let stranger = try SyntheticAuthenticator()
        for _ in 0..<40 {
            let request = try await server.authenticationRequest(for: "anna")
            let answer = try server.client.answer(request, with: [stranger])
            #expect(await server.answerAuthentication(answer).message.statusCode != .ok)
        }
        #expect(try await server.auditKinds().count == before)
        #expect(try await server.countedRefusals()?.contains("40 refusals in 600 s from 1 sources") == true)
    }

    @Test("S-H6: wrong passwords have no record each; they are counted by address, whether the user exists or not")
    func passwords() async throws {
        let server = try await TestServer(authenticators: [phone]) {
            $0.passwordLogin = PasswordLoginSettings()
            $0.passwordLogin?.cost = .cheapest
        }
        _ = try await server.services.users.add(name: "anna", password: "correct horse")
        let login = try #require(server.services.passwordLogin)
        let before = try await server.auditKinds().count
        for name in ["anna", "absent"] {
            await #expect(throws: ServerError.unauthorized) {
                _ = try await login.logIn(
                    name: name, password: "wrong", client: ClientContext(address: "192.0.2.1"))
            }
        }
        #expect(try await server.auditKinds().count == before)
        let summary = try #require(try await server.countedRefusals())
        #expect(summary.contains("wrong password 2") && summary.contains("192.0.2.1 2"))
        _ = try await login.logIn(name: "anna", password: "correct horse", client: ClientContext())
        #expect(try await server.auditKinds().last == "SIGNED_IN")
        #expect(try await server.auditTexts().last?.contains(#""channel":"password""#) == true)
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
        for number in 0..<3_000 where counter.count("replay", from: .address("\(number)"), at: now) { shown += 1 }
        for _ in 0..<5 { _ = counter.count("forged", from: .address("7"), at: now) }
        #expect(shown == RefusalCounter.shownTotal)
        #expect(counter.takeSummary(at: now + .seconds(599)) == nil)
        let summary = try #require(counter.takeSummary(at: now + .seconds(600)))
        #expect(summary.total == 3_005)
        #expect(summary.sourceCount == RefusalCounter.sourceLimit + 1)
        #expect(summary.sources.count == RefusalCounter.namedLimit)
        #expect(summary.sources.first == .init(name: "others", count: 2_000))
        #expect(summary.sources.dropFirst().first == .init(name: "7", count: 6))
        #expect(summary.reasons.map(\.name) == ["replay", "forged"])
        #expect(counter.takeSummary(at: now + .seconds(600), isLast: true) == nil)
    }

    @Test("S-M5: Devices have places of their own beside strangers, which are bounded, too")
    func devices() throws {
        let (counter, random) = (RefusalCounter(), SeededRandom())
        let now = ManualClock.start
        for number in 0..<3_000 { _ = counter.count("forged", from: .address("\(number)"), at: now) }
        let device = RefusalCounter.Source.device(DispatchTargetID(from: random))
        let told = (0..<20).filter { _ in counter.count("late", from: device, at: now) }
        #expect(told.count == RefusalCounter.shownLimit)
        for _ in 0..<1_500 {
            _ = counter.count("late", from: .device(DispatchTargetID(from: random)), at: now)
        }
        let summary = try #require(counter.takeSummary(at: now, isLast: true))
        #expect(summary.total == 4_520)
        #expect(summary.sourceCount == 2 * (RefusalCounter.sourceLimit + 1))
        #expect(summary.sources.contains(.init(name: "other devices", count: 501)))
    }
}
