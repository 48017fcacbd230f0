import BackendAPI
import ServerCore
import TestSupport
import Testing
import UAF
import UAFService

@Suite("What a server process tells the others on its database")
struct ProcessSignalTests {
    private let link = ProcessLink()

    private func question(_ answer: DispatchAnswer) throws -> StatusRequest {
        StatusRequest(sessionID: try #require(answer.sessionID), after: .tokenCreated, wait: 30_000)
    }

    // MARK: - Waiters of the status

    @Test(
        "A question at one process is answered when the other redeems the token, without a look at the database",
        .timeLimit(.minutes(10)))
    func wake() async throws {
        // This pause has no end of its own: who waits by it is woken by a notification or never.
        let pause = UntimedPause()
        let first = try await OutOfBandStage(pause: pause, processes: link.ports())
        let second = try await first.besideAnotherServer(processes: link.ports())
        let answer = try await first.server.dispatch(to: first.target)
        let request = try question(answer)
        async let next = first.server.services.status.status(request, authorization: TestServer.portal)
        for await _ in pause.waits { break }
        #expect(await second.server.redeem(try #require(answer.token)).statusCode == .ok)
        #expect(try await next.status == .clientAuthenticating)
    }

    @Test("A lost notification delays the answer until the next look at the database, and no longer")
    func lostWake() async throws {
        let first = try await OutOfBandStage(processes: link.ports())
        let second = try await first.besideAnotherServer(processes: link.ports())
        let answer = try await first.server.dispatch(to: first.target)
        let request = try question(answer)
        link.setCut(true)
        async let next = first.server.services.status.status(request, authorization: TestServer.portal)
        #expect(await second.server.redeem(try #require(answer.token)).statusCode == .ok)
        #expect(try await next.status == .clientAuthenticating)
    }

    @Test("A token that is redeemed at both processes at the same time is redeemed once")
    func redeemedOnce() async throws {
        let first = try await OutOfBandStage(processes: link.ports())
        let second = try await first.besideAnotherServer(processes: link.ports())
        for _ in 0..<20 {
            let token = try #require(try await first.server.dispatch(to: first.target).token)
            async let one = first.server.redeem(token).statusCode
            async let two = second.server.redeem(token).statusCode
            let codes = await [one, two]
            #expect(codes.count { $0 == .ok } == 1, "\(codes)")
        }
    }

    @Test("A signed request of a device that one process has taken is a replay at the other")
    func replay() async throws {
        let first = try await OutOfBandStage(processes: link.ports())
        let second = try await first.besideAnotherServer(processes: link.ports())
        let claims = first.server.claims(
            first.target, .deviceCredentials, naming: first.device.id.text, requestID: "once")
        let token = try first.device.signed(DeviceRequest(claims))
        _ = try await first.server.services.devices.credentials(
            of: first.device.id.text, signed: token, client: ClientContext())
        await #expect(throws: ServerError.requestReplayed) {
            try await second.server.services.devices.credentials(
                of: second.device.id.text, signed: token, client: ClientContext())
        }
    }

    // MARK: - Counts

    @Test("Refused requests of a device have ten records in ten minutes, at both processes together")
    func deviceRefusals() async throws {
        let first = try await OutOfBandStage(processes: link.ports())
        let second = try await first.besideAnotherServer(processes: link.ports())
        let claims = first.server.claims(
            first.target, .deviceCredentials, naming: first.device.id.text, requestID: "late")
        let late = try first.device.signed(DeviceRequest(claims))
        first.server.clock.advance(by: .seconds(301))
        for _ in 0..<10 {
            for stage in [first, second] {
                await #expect(throws: ServerError.clockSkewTooBig) {
                    try await stage.server.services.devices.credentials(
                        of: stage.device.id.text, signed: late, client: ClientContext(address: "192.0.2.1"))
                }
            }
        }
        let records = try await first.server.auditTexts().count { $0.contains("DEVICE_REQUEST_CLOCK_SKEW") }
        #expect(records == 10)
    }

    // MARK: - Presence

    @Test("A process learns of the others with its clock, and forgets one that ends, or that is silent for a minute")
    func presence() async throws {
        let monotonic = ManualBootClock()
        let phone = try SyntheticAuthenticator()
        let first = try await TestServer(
            authenticators: [phone], monotonic: monotonic, processes: link.ports(name: "main/1"))
        let second = try await TestServer(
            authenticators: [phone], store: .of(first), monotonic: monotonic, processes: link.ports(name: "main/2"))
        await first.services.maintain()
        #expect(first.services.maintenance.otherProcesses == ["main/2"])
        await second.services.maintain()
        #expect(second.services.maintenance.otherProcesses == ["main/1"])
        monotonic.advance(by: .seconds(61))
        first.clock.advance(by: .seconds(61))
        await first.services.maintain()
        #expect(first.services.maintenance.otherProcesses.isEmpty)
        await second.services.maintain()
        await first.services.maintain()
        #expect(first.services.maintenance.otherProcesses == ["main/2"])
        try await second.storage.clock.forget("main/2")
        await first.services.maintain()
        #expect(first.services.maintenance.otherProcesses.isEmpty)
    }
}
