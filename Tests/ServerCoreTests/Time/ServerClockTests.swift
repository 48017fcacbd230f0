import BackendAPI
import TestSupport
import Testing
import UAF
import UAFService

@testable import ServerCore

@Suite("Server time")
struct ServerClockTests {
    private let phone: SyntheticAuthenticator

    /// Steps that the clock of a machine may make.
    static let steps: [Duration] = [.seconds(3_600), .seconds(86_400), .seconds(-7_200)]

    init() throws {
        phone = try SyntheticAuthenticator()
    }

    private func server(_ monotonic: ManualBootClock) async throws -> TestServer {
        let server = try await TestServer(authenticators: [phone], monotonic: monotonic)
        let user = try await server.services.users.add(name: "anna")
        try await server.register(phone, for: user)
        return server
    }

    /// Lets real time pass, with a round of the maintenance every ten seconds.
    private func pass(_ duration: Duration, _ server: TestServer, _ monotonic: ManualBootClock) async {
        var passed = Duration.zero
        while passed < duration {
            monotonic.advance(by: .seconds(10))
            server.clock.advance(by: .seconds(10))
            passed += .seconds(10)
            await server.services.maintain()
        }
    }

    private func signsIn(_ server: TestServer) async throws -> StatusCode {
        let request = try await server.authenticationRequest(for: "anna")
        return await server.answerAuthentication(try server.client.answer(request, with: [phone])).message.statusCode
    }

    @Test(
        "S-H5: a clock that jumps ends no sign-in, neither while it is wrong nor when it is right again",
        arguments: steps)
    func jump(_ step: Duration) async throws {
        let monotonic = ManualBootClock()
        let server = try await server(monotonic)
        let before = try await server.authenticationRequest(for: "anna")
        server.clock.advance(by: step)
        await pass(.seconds(20), server, monotonic)
        #expect(
            await server.answerAuthentication(try server.client.answer(before, with: [phone])).message.statusCode
                == .ok, "asked before")
        #expect(try await signsIn(server) == .ok, "while it is wrong")
        let during = try await server.authenticationRequest(for: "anna")
        server.clock.advance(by: .zero - step)
        await pass(.seconds(20), server, monotonic)
        #expect(
            await server.answerAuthentication(try server.client.answer(during, with: [phone])).message.statusCode
                == .ok, "asked while wrong")
        #expect(try await signsIn(server) == .ok, "right again")
    }

    @Test(
        "S-H5: a challenge ends after its time on the monotonic clock, whatever the time of day says", arguments: steps)
    func expiry(_ step: Duration) async throws {
        let monotonic = ManualBootClock()
        let server = try await server(monotonic)
        let late = try await server.authenticationRequest(for: "anna")
        server.clock.advance(by: step)
        await pass(.seconds(620), server, monotonic)
        #expect(
            await server.answerAuthentication(try server.client.answer(late, with: [phone])).message.statusCode != .ok)
    }

    @Test(
        "S-H5: after a restart of the process the clock may be wrong or right again, and an answer stays used up",
        arguments: steps)
    func restart(_ step: Duration) async throws {
        let monotonic = ManualBootClock()
        let server = try await server(monotonic)
        let used = try server.client.answer(try await server.authenticationRequest(for: "anna"), with: [phone])
        #expect(await server.answerAuthentication(used).message.statusCode == .ok)
        let open = try server.client.answer(try await server.authenticationRequest(for: "anna"), with: [phone])
        server.clock.advance(by: step)
        await pass(.seconds(60), server, monotonic)
        let wrong = try await TestServer(authenticators: [phone], store: .of(server), monotonic: monotonic)
        #expect(await wrong.answerAuthentication(used).message.statusCode == .requestInvalid)
        #expect(await wrong.answerAuthentication(open).message.statusCode == .ok, "sealed by the process before")
        #expect(try await signsIn(wrong) == .ok)
        server.clock.advance(by: .zero - step)
        let right = try await TestServer(authenticators: [phone], store: .of(server), monotonic: monotonic)
        #expect(await right.answerAuthentication(used).message.statusCode == .requestInvalid)
        #expect(try await signsIn(right) == .ok)
    }

    @Test("O-M10: after a restart of the machine with a clock two hours behind sign-ins go on")
    func machineRestart() async throws {
        let server = try await server(ManualBootClock())
        await server.services.maintain()
        server.clock.advance(by: .seconds(-7_200))
        let later = try await TestServer(
            authenticators: [phone], store: .of(server),
            monotonic: ManualBootClock(startID: "second", at: .seconds(9)))
        #expect(try await signsIn(later) == .ok)
        let finding = try #require(later.services.maintenance.clockFinding)
        #expect(finding.text.contains("2 h 0 min 0 s ahead of the clock") && finding.text.contains("keys replace"))
    }

    @Test("S-H5: a mark in the future is shown in words, hinders no start, and keys replace puts it right")
    func futureMark() async throws {
        let monotonic = ManualBootClock()
        let server = try await server(monotonic)
        // A server before this one let the mark follow a clock that was a day ahead.
        _ = try await server.storage.unitOfWork.purgeConsumption(
            before: server.clock.now() + .seconds(86_400), limit: 1)
        let machine = ManualBootClock(startID: "second")
        let restored = try await TestServer(authenticators: [phone], store: .of(server), monotonic: machine)
        #expect(try await signsIn(restored) == .ok)
        #expect(restored.services.maintenance.clockFinding?.text.contains("1 d 0 h 10 min") == true)
        let open = try server.client.answer(try await restored.authenticationRequest(for: "anna"), with: [phone])
        try await restored.services.replaceKeys()
        #expect(restored.services.maintenance.clockFinding == nil)
        #expect(await restored.answerAuthentication(open).message.statusCode != .ok, "sealed with a key that is gone")
        #expect(try await signsIn(restored) == .ok)
        await restored.services.maintain()
        #expect(try await signsIn(restored) == .ok, "the mark went back with the keys")
    }

    @Test("S-H5: tokens follow the time of day once it has lasted for half a minute, and not before", arguments: steps)
    func believed(_ step: Duration) {
        let wall = ManualClock()
        let monotonic = ManualBootClock()
        let clock = ConfirmedWallClock(wall: wall, monotonic: monotonic)
        wall.advance(by: step)
        #expect(clock.now() == ManualClock.start)
        #expect(clock.pendingStep == step)
        monotonic.advance(by: .seconds(29))
        wall.advance(by: .seconds(29))
        #expect(clock.now() == ManualClock.start + .seconds(29))
        monotonic.advance(by: .seconds(2))
        wall.advance(by: .seconds(2))
        #expect(clock.now() == wall.now())
        #expect(clock.takeSteps() == [.seen(step), .believed(step)])
        #expect(clock.takeSteps().isEmpty, "each is told once")
    }

    @Test("S-H5: a clock that is wrong for fifteen seconds is never believed")
    func moment() {
        let wall = ManualClock()
        let monotonic = ManualBootClock()
        let clock = ConfirmedWallClock(wall: wall, monotonic: monotonic)
        wall.advance(by: .seconds(3_600))
        _ = clock.now()
        monotonic.advance(by: .seconds(15))
        wall.advance(by: .seconds(15 - 3_600))
        #expect(clock.now() == ManualClock.start + .seconds(15))
        #expect(clock.takeSteps() == [.seen(.seconds(3_600)), .returned])
    }

    @Test("Server time nears the time of day by a tenth of the time passed at most, and never jumps")
    func correction() {
        let last = ServerTimeRecord(time: ManualClock.start, startID: "a", sinceStart: .seconds(100))
        func next(_ wall: Duration, after passed: Duration, _ start: String = "a") -> Duration {
            ServerTimeRecord.following(
                last, mark: Timestamp(milliseconds: 0),
                at: .init(wall: ManualClock.start + wall, startID: start, sinceStart: .seconds(100) + passed)
            ).time - ManualClock.start
        }
        #expect(next(.seconds(10), after: .seconds(10)) == .seconds(10))
        #expect(next(.seconds(3_600), after: .seconds(10)) == .seconds(11))
        #expect(next(.seconds(-3_600), after: .seconds(10)) == .seconds(9))
        #expect(next(.seconds(3_600), after: .seconds(-1)) == .zero, "another process was here later")
        #expect(next(.seconds(3_600), after: .zero, "b") == .seconds(3_600), "after a restart the time of day decides")
        #expect(next(.seconds(-3_600), after: .zero, "b") == .zero, "but server time does not go back")
    }

    @Test("S-H5: processes on one database whose clocks differ are shown")
    func skew() async throws {
        let monotonic = ManualBootClock()
        let server = try await server(monotonic)
        let wall = ManualClock()
        wall.advance(by: .seconds(20))
        let other = ServerClock(wall: wall, monotonic: monotonic)
        try await other.synchronize(with: server.storage.clock, as: "other")
        await server.services.maintain()
        #expect(server.services.maintenance.clockFinding?.text.contains("process other") == true)
        #expect(server.services.maintenance.clockFinding?.text.contains("+20 s") == true)
        monotonic.advance(by: .seconds(61))
        server.clock.advance(by: .seconds(61))
        await server.services.maintain()
        #expect(server.services.maintenance.clockFinding == nil, "a process that is gone is forgotten")
    }
}
