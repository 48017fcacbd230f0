import Authenticators
import Testing

@Suite("SDK-1 and SDK-4: five wrong PINs in a row lock for good")
struct LockoutStateTests {
    private static let table: [(failures: Int, attemptsLeft: Int, wait: Int64)] = [
        (1, 4, 0), (2, 3, 0), (3, 2, 60), (4, 1, 180),
    ]

    @Test("Each failure costs an attempt and the wait of the table; the fifth locks")
    func table() throws {
        var state = LockoutState.unlocked
        let clock = FakeClock()
        #expect(state.status(at: clock.read(), under: .standard) == .unlocked)
        for row in Self.table {
            let error = try state.beginAttempt(at: clock.read(), under: .standard)
            #expect(error == .wrongSecret(attemptsLeft: row.attemptsLeft, coolDown: .seconds(row.wait)))
            #expect(
                state.status(at: clock.read(), under: .standard)
                    == .lastAttemptFailed(attemptsLeft: row.attemptsLeft, coolDown: .seconds(row.wait)))
            clock.advance(seconds: row.wait)
        }
        #expect(try state.beginAttempt(at: clock.read(), under: .standard) == .lockedOut)
        #expect(state.status(at: clock.read(), under: .standard) == .lockedOut)
    }

    @Test("During a cool-down nothing is counted, and the time left is told")
    func coolDown() throws {
        var state = LockoutState(failures: 3, lastFailure: .start)
        for second in 0..<Int64(60) {
            let now = ClockReading.start.moved(wall: second, boot: second)
            #expect(throws: AuthenticatorError.coolingDown(attemptsLeft: 2, coolDown: .seconds(60 - second))) {
                try state.beginAttempt(at: now, under: .standard)
            }
        }
        #expect(state.failures == 3)
        _ = try state.beginAttempt(at: ClockReading.start.moved(wall: 60, boot: 60), under: .standard)
        #expect(state.failures == 4)
    }

    @Test("Locked stays locked, whatever time passes and whatever the clocks say")
    func locked() {
        var state = LockoutState(failures: 5, lastFailure: .start)
        let years = Int64(10 * 365 * 86_400)
        let later: [ClockReading] = [
            .start.moved(wall: years, boot: years), .start.restarted(boot: 0), .start.moved(wall: -years, boot: 0),
        ]
        for now in later {
            #expect(throws: AuthenticatorError.lockedOut) { try state.beginAttempt(at: now, under: .standard) }
        }
    }

    @Test("The right PIN forgets the wrong ones")
    func success() throws {
        var state = LockoutState(failures: 2, lastFailure: .start)
        state.succeed()
        #expect(state == .unlocked)
        #expect(
            try state.beginAttempt(at: .start, under: .standard) == .wrongSecret(attemptsLeft: 4, coolDown: .zero))
    }

    @Test("A state with impossibly many failures is locked")
    func manyFailures() {
        var state = LockoutState(failures: .max, lastFailure: nil)
        #expect(state.status(at: .start, under: .standard) == .lockedOut)
    }
}
