/// Removal of old rows piece by piece, with pauses in which the writes of requests have their turn.
///
/// Each piece is its own transaction, so that what was done stays done; the next removal begins with the oldest row
/// that is left.
package struct BatchDeletion: Sendable {
    /// One piece of a task; returns how many rows it has dealt with.
    package typealias Piece = @Sendable () async throws(ServerError) -> Int

    /// Most rows that a piece deals with.
    package static let batch = 200
    /// Time that one task of the maintenance takes in one round; what is left then is left to the next one, so that
    /// the clock and the keys are looked after also while millions of rows are forgotten.
    package static let stepTime: Duration = .seconds(5)
    private static let longestPause: Duration = .milliseconds(100)

    /// Time after which no further piece begins; nil for none.
    private let time: Duration?

    package init(during time: Duration? = nil) {
        self.time = time
    }

    /// Runs `piece`, which returns how many rows it has dealt with, until it finds none; false when the time is over or
    /// the task was cancelled before.
    package func run(_ piece: Piece) async throws(ServerError) -> Bool {
        let stopwatch = ContinuousClock()
        let begin = stopwatch.now
        while !Task.isCancelled {
            let start = stopwatch.now
            guard try await piece() > 0 else { return true }
            let end = stopwatch.now
            if let time, end - begin >= time { return false }
            // Requests have the connection that writes for as long as the piece has had it.
            try? await Task.sleep(for: min(end - start, Self.longestPause))
        }
        return false
    }
}
