import Synchronization
import Testing

@testable import ServerCore

@Suite("BatchDeletion of old rows, piece by piece")
struct BatchDeletionTests {
    /// Pieces of which the first `count` find a row, each after `duration`.
    private final class Pieces: Sendable {
        private let left: Mutex<Int>
        private let duration: Duration

        init(_ count: Int, each duration: Duration = .zero) {
            left = Mutex(count)
            self.duration = duration
        }

        /// Pieces that would still find something.
        var remaining: Int { left.withLock { $0 } }

        func next() async -> Int {
            if duration > .zero { try? await Task.sleep(for: duration) }
            return left.withLock { left in
                guard left > 0 else { return 0 }
                left -= 1
                return 1
            }
        }
    }

    @Test("Without a time it ends when nothing is left, and says so")
    func everything() async throws {
        let pieces = Pieces(5)
        #expect(try await BatchDeletion().run { () async throws(ServerError) in await pieces.next() })
        #expect(pieces.remaining == 0)
    }

    @Test("When its time is over the rest is left for later, and the next one goes on there")
    func time() async throws {
        let pieces = Pieces(5)
        let first = try await BatchDeletion(during: .zero).run { () async throws(ServerError) in await pieces.next() }
        #expect(!first && pieces.remaining == 4)
        #expect(try await BatchDeletion().run { () async throws(ServerError) in await pieces.next() })
        #expect(pieces.remaining == 0)
    }

    @Test("A failure of a piece ends it; nothing is tried again")
    func failure() async {
        let pieces = Pieces(5)
        await #expect(throws: ServerError.storageUnavailable) {
            try await BatchDeletion().run { () async throws(ServerError) -> Int in
                _ = await pieces.next()
                throw ServerError.storageUnavailable
            }
        }
        #expect(pieces.remaining == 4)
    }

    @Test("Between two pieces requests have as much time as a piece has taken")
    func pauses() async throws {
        let pieces = Pieces(3, each: .milliseconds(20))
        let start = ContinuousClock.now
        #expect(try await BatchDeletion().run { () async throws(ServerError) in await pieces.next() })
        // Four pieces, the last of which finds nothing, and three pauses.
        #expect(ContinuousClock.now - start >= .milliseconds(7 * 20))
    }
}
