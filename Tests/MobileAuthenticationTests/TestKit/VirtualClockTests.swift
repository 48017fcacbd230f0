import MobileAuthenticationTestKit
import Testing

@Suite("A clock that a test moves")
struct VirtualClockTests {
    @Test("A wait goes on when the clock was moved far enough, and not before")
    func waiting() async throws {
        let clock = VirtualClock()
        async let wait: Void = clock.sleep(for: .seconds(60))
        try await clock.advanceWhenAwaited(by: .seconds(59))
        #expect(clock.waitCount == 1)
        clock.advance(by: .seconds(1))
        try await wait
        #expect(clock.now == .seconds(60) && clock.waitCount == 0)
    }

    @Test("A wait whose task is canceled ends at once")
    func cancellation() async {
        let clock = VirtualClock()
        let task = Task { try await clock.sleep(for: .seconds(1)) }
        while clock.waitCount == 0 { await Task.yield() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.waitCount == 0)
        let late = Task {
            while !Task.isCancelled { await Task.yield() }
            try await clock.sleep(for: .seconds(1))
        }
        late.cancel()
        await #expect(throws: CancellationError.self) { try await late.value }
    }

    @Test("A wait of no time does not wait")
    func nothing() async throws { try await VirtualClock().sleep(for: .zero) }
}
