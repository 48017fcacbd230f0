import Locking
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

@Suite("A thread blocks no signal while it starts a program")
struct ThreadSignalsTests {
    private struct Refusal: Error, Equatable {}

    /// Whether this thread blocks a signal.
    private static func isBlocked(_ signal: Int32) -> Bool {
        var signals = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &signals)
        return sigismember(&signals, signal) == 1
    }

    /// Runs `body` while this thread blocks a signal.
    private static func block(_ signal: Int32, _ body: () throws -> Void) rethrows {
        var (signals, former) = (sigset_t(), sigset_t())
        sigemptyset(&signals)
        sigaddset(&signals, signal)
        pthread_sigmask(SIG_BLOCK, &signals, &former)
        defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
        try body()
    }

    @Test("What was blocked before is not inside, and is again afterwards")
    func mask() {
        Self.block(SIGUSR2) {
            let inside = ThreadSignals.unblocked { Self.isBlocked(SIGUSR2) }
            #expect(!inside && Self.isBlocked(SIGUSR2))
        }
    }

    @Test("An error comes out with its type, and the signals are blocked again")
    func errors() {
        Self.block(SIGUSR2) {
            #expect(throws: Refusal()) {
                try ThreadSignals.unblocked { () throws(Refusal) in throw Refusal() }
            }
            #expect(Self.isBlocked(SIGUSR2))
        }
    }
}
