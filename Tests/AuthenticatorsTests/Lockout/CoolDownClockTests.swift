import Authenticators
import HardwareKeys
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

    @Test("After a restart the clock in a chip tells how much of the wait has passed", arguments: shifts)
    func chip(shift: Int64) throws {
        let before = ClockReading.start.withChip(seconds: 100, resetCount: 7)
        for passed in stride(from: Int64(0), through: 240, by: 20) {
            var state = LockoutState(failures: 4, lastFailure: before)
            let now = ClockReading.start.restarted(boot: 1, wall: passed + shift)
                .withChip(seconds: UInt64(100 + passed), resetCount: 8)
            let left = try coolDown(&state, now)
            // A wall clock that was set back makes the wait begin again; set forward it gains nothing.
            #expect(left >= max(.zero, .seconds(180 - passed)))
            #expect(left <= .seconds(180))
            if shift >= 0 { #expect(left == max(.zero, .seconds(180 - passed))) }
        }
    }

    @Test("A clock in a chip that is not sure of itself, was cleared or went back tells nothing")
    func doubtfulChip() throws {
        let before = ClockReading.start.withChip(seconds: 1_000, resetCount: 7)
        let later = ClockReading.start.restarted(boot: 1, wall: 10_000)
        for now in [
            later, later.withChip(seconds: 9_000, resetCount: 8, isSafe: false),
            later.withChip(seconds: 9_000, resetCount: 6), later.withChip(seconds: 999, resetCount: 8),
        ] {
            var state = LockoutState(failures: 4, lastFailure: before)
            #expect(try coolDown(&state, now) == .seconds(180))
            #expect(state.lastFailure == now)
        }
        var fromElsewhere = LockoutState(failures: 4, lastFailure: .start)
        #expect(try coolDown(&fromElsewhere, later.withChip(seconds: 9_000, resetCount: 8)) == .seconds(180))
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
        guard case .lastAttemptFailed(_, let coolDown) = state.status(.counted(4), at: now, under: .standard) else {
            throw NotTypable()
        }
        return coolDown
    }
}
