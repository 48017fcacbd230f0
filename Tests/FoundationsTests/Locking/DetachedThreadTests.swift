import Locking
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

@Suite("A thread of its own does one thing and ends")
struct DetachedThreadTests {
    /// Something that tells when it is no longer held.
    private final class Witness: Sendable {
        private let end: @Sendable () -> Void

        init(_ end: @escaping @Sendable () -> Void) { self.end = end }
        deinit { end() }
    }

    @Test("Its work runs on another thread, while this one waits for it")
    func thread() throws {
        let begun = Lock(false)
        let equal = Lock<Bool?>(nil)
        let here = Lock(pthread_self())
        try DetachedThread.start {
            equal.withLock { $0 = here.withLock { pthread_equal($0, pthread_self()) != 0 } }
            begun.withLock { $0 = true }
        }
        for _ in 0..<60_000 where !begun.withLock({ $0 }) { usleep(1_000) }
        #expect(equal.withLock { $0 } == false)
    }

    @Test("A thousand starts end, and let go of what their work held", .timeLimit(.minutes(10)))
    func thousand() async throws {
        let (ends, continuation) = AsyncStream<Void>.makeStream()
        let count = Lock(0)
        for _ in 0..<1_000 {
            let witness = Witness { continuation.yield() }
            try DetachedThread.start {
                withExtendedLifetime(witness) { count.withLock { $0 += 1 } }
            }
        }
        var released = 0
        for await _ in ends {
            released += 1
            if released == 1_000 { break }
        }
        #expect(count.withLock { $0 } == 1_000)
    }
}
