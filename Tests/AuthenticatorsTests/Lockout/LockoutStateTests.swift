import Authenticators
import HardwareKeys
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
        #expect(state.status(.counted(0), at: clock.read(), under: .standard) == .unlocked)
        for row in Self.table {
            try state.beginAttempt(.counted(row.failures - 1), at: clock.read(), under: .standard)
            let error = state.fail(.counted(row.failures), at: clock.read(), under: .standard)
            #expect(error == .wrongSecret(attemptsLeft: row.attemptsLeft, coolDown: .seconds(row.wait)))
            #expect(
                state.status(.counted(row.failures), at: clock.read(), under: .standard)
                    == .lastAttemptFailed(attemptsLeft: row.attemptsLeft, coolDown: .seconds(row.wait)))
            clock.advance(seconds: row.wait)
        }
        try state.beginAttempt(.counted(4), at: clock.read(), under: .standard)
        #expect(state.fail(.counted(5), at: clock.read(), under: .standard) == .lockedOut)
        #expect(state.status(.counted(5), at: clock.read(), under: .standard) == .lockedOut)
    }

    @Test("During a cool-down nothing is noted, and the time left is told")
    func coolDown() throws {
        var state = LockoutState(failures: 3, lastFailure: .start)
        for second in 0..<Int64(60) {
            let now = ClockReading.start.moved(wall: second, boot: second)
            #expect(throws: AuthenticatorError.coolingDown(attemptsLeft: 2, coolDown: .seconds(60 - second))) {
                try state.beginAttempt(.counted(3), at: now, under: .standard)
            }
        }
        #expect(state == LockoutState(failures: 3, lastFailure: .start))
        try state.beginAttempt(.counted(3), at: ClockReading.start.moved(wall: 60, boot: 60), under: .standard)
        #expect(state.failures == 4)
    }

    @Test("What the vault has locked stays locked, whatever is stored here and whatever the clocks say")
    func locked() {
        let years = Int64(10 * 365 * 86_400)
        let later: [ClockReading] = [
            .start.moved(wall: years, boot: years), .start.restarted(boot: 0), .start.moved(wall: -years, boot: 0),
        ]
        for stored in [LockoutState.unlocked, LockoutState(failures: 5, lastFailure: .start)] {
            for now in later {
                var state = stored
                #expect(throws: AuthenticatorError.lockedOut) {
                    try state.beginAttempt(.counted(5), at: now, under: .standard)
                }
            }
        }
    }

    @Test("A count of the vault above the stored one is a failure that happened now")
    func takenOver() {
        for (stored, counted, wait) in [(0, 3, 60), (2, 3, 60), (3, 4, 180), (0, 4, 180)] as [(Int, Int, Int64)] {
            var state = LockoutState(failures: stored, lastFailure: stored > 0 ? .start : nil)
            let later = ClockReading.start.moved(wall: 1_000, boot: 1_000)
            #expect(
                state.status(.counted(counted), at: later, under: .standard)
                    == .lastAttemptFailed(attemptsLeft: 5 - counted, coolDown: .seconds(wait)))
            #expect(
                state.status(.counted(counted), at: later.moved(wall: wait, boot: wait), under: .standard)
                    == .lastAttemptFailed(attemptsLeft: 5 - counted, coolDown: .zero))
        }
    }

    @Test(
        "An attempt that was begun and whose end is not known costs its wait, and no try that the vault did not count")
    func unfinished() throws {
        var state = LockoutState(failures: 2, lastFailure: .start)
        try state.beginAttempt(.counted(2), at: .start, under: .standard)
        let waiting = LockoutState(failures: 3, lastFailure: .start)
        #expect(state == waiting)
        #expect(
            state.status(.counted(2), at: .start, under: .standard)
                == .lastAttemptFailed(attemptsLeft: 3, coolDown: .seconds(60)))
        // The right secret, and then the crash.
        #expect(
            state.status(.counted(0), at: .start, under: .standard)
                == .lastAttemptFailed(attemptsLeft: 5, coolDown: .seconds(60)))
        #expect(state.status(.counted(0), at: .start.moved(wall: 60, boot: 60), under: .standard) == .unlocked)
    }

    @Test("However many attempts came to no end, the longest wait is enough")
    func manyUnfinished() throws {
        var state = LockoutState(failures: .max, lastFailure: .start)
        #expect(
            state.status(.counted(1), at: .start, under: .standard)
                == .lastAttemptFailed(attemptsLeft: 4, coolDown: .seconds(180)))
        try state.beginAttempt(.counted(1), at: .start.moved(wall: 180, boot: 180), under: .standard)
        #expect(state.failures == 5)
    }

    @Test("The right PIN forgets the wrong ones")
    func success() throws {
        var state = LockoutState(failures: 2, lastFailure: .start)
        state.succeed()
        #expect(state == .unlocked)
        try state.beginAttempt(.counted(0), at: .start, under: .standard)
        #expect(
            state.fail(.counted(1), at: .start, under: .standard)
                == .wrongSecret(attemptsLeft: 4, coolDown: .zero))
    }
}

extension KeyAttempts {
    /// What a vault with the limit of five has counted.
    static func counted(_ failures: Int) -> KeyAttempts {
        KeyAttempts(failures: UInt8(failures), limit: 5)
    }
}
