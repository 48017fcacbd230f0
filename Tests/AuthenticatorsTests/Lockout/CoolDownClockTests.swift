import Authenticators
import Testing

@Suite("SDK-3: neither a moved clock nor a restart shortens a cool-down")
struct CoolDownClockTests {
    /// Whole seconds by which the wall clock is moved.
    private static let shifts: [Int64] = [
        -86_400, -3_600, -61, -60, -59, -30, -1, 0, 1, 30, 59, 60, 61, 3_600, 86_400,
    ]

    @Test("Moving the wall clock gains nothing, and costs one full wait at most", arguments: shifts)
    func wallClock(shift: Int64) throws {
        for passed in stride(from: Int64(0), through: 240, by: 10) {
            var state = LockoutState(failures: 4, lastFailure: .start)
            let now = ClockReading.start.moved(wall: passed + shift, boot: passed)
            let left = try coolDown(&state, now)
            #expect(left >= max(.zero, .seconds(180 - passed)))
            #expect(left <= .seconds(180))
            #expect(try coolDown(&state, now.moved(wall: 180, boot: 180)) == .zero)
        }
    }

    @Test("Showing the process another time since boot gains nothing", arguments: shifts)
    func bootClock(shift: Int64) throws {
        for passed in stride(from: Int64(0), through: 240, by: 10) {
            var state = LockoutState(failures: 4, lastFailure: .start)
            let left = try coolDown(&state, ClockReading.start.moved(wall: passed, boot: passed + shift))
            #expect(left >= max(.zero, .seconds(180 - passed - 1)))
            #expect(left <= .seconds(180))
        }
    }

    @Test("After a restart the full wait begins again, and then passes", arguments: shifts)
    func restart(shift: Int64) throws {
        var state = LockoutState(failures: 4, lastFailure: .start)
        let back = ClockReading.start.restarted(boot: 20, wall: shift)
        #expect(try coolDown(&state, back) == .seconds(180))
        #expect(try coolDown(&state, back.moved(wall: 100, boot: 100)) == .seconds(80))
        #expect(try coolDown(&state, back.moved(wall: 180, boot: 180)) == .zero)
    }

    @Test("Clock readings at the ends of their range do not trap")
    func extremes() throws {
        let ends = [Int64.min, -1, 0, 1, .max]
        for stored in ends {
            for shown in ends {
                let earlier = ClockReading(wallSeconds: stored, bootID: .first, bootMilliseconds: stored)
                var state = LockoutState(failures: 4, lastFailure: earlier)
                let now = ClockReading(wallSeconds: shown, bootID: .first, bootMilliseconds: shown)
                #expect(try coolDown(&state, now) <= .seconds(180))
            }
        }
    }

    @Test("The clocks of this machine run forward in one run of the system")
    func systemClock() throws {
        let clock = SystemCoolDownClock()
        let first = clock.read()
        let second = SystemCoolDownClock().read()
        #expect(first.bootID == second.bootID)
        #expect(try #require(second.elapsed(since: first)) < .seconds(10))
        #expect(first.wallSeconds > 1_700_000_000)
    }

    private func coolDown(_ state: inout LockoutState, _ now: ClockReading) throws -> Duration {
        guard case .lastAttemptFailed(_, let coolDown) = state.status(at: now, under: .standard) else {
            throw PIN.NotDigits()
        }
        return coolDown
    }
}
