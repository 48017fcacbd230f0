import ServerCore
import ServerPersistence

/// Limit of the time of statements: the limit of the settings, or the time that is left for the request behind them.
struct PostgreSQLTimeLimit: Sendable {
    /// Beginning of a transaction, with the moment after which its statements are of no use.
    struct Beginning: Sendable {
        /// Time that the limit on the server may be longer than the time that is left, while much is left: with the same one
        /// for many transactions no statement is needed for it.
        private static let step: Int64 = 250

        /// The statement that begins it; nil where one exchange is all of the transaction.
        let words: String?
        let statementTimeout: Duration
        let deadline: ContinuousClock.Instant?
        var plans = PostgreSQLSessionSettings.Plans.chosen

        /// The connection of a place, which is not waited for beyond the deadline.
        ///
        /// Throws ``DatabaseServerFailure/Reason/overloaded`` when the moment has passed.
        func connection(of seat: PostgreSQLSeat) throws(ServerPersistenceError) -> PostgreSQLSession {
            if let deadline, deadline <= ContinuousClock.now { throw .server(DatabaseServerFailure(.overloaded)) }
            return try seat.connected(until: deadline)
        }

        /// Lets the beginning wait for the first statement of the transaction.
        ///
        /// Throws ``DatabaseServerFailure/Reason/overloaded`` when the moment has passed: nothing is run then.
        func enqueue(on session: PostgreSQLSession) throws(ServerPersistenceError) {
            let limit = try limitOnServer()
            session.waitLimit = PostgreSQLWaitLimit(statementTimeout: statementTimeout, deadline: deadline)
            if let words { try session.enqueue(words, []) }
            try session.set(.statementTimeout, to: PostgreSQLSessionSettings.value(milliseconds: limit))
            try session.set(.plans, to: plans.rawValue)
        }

        /// Milliseconds for each statement; zero for any number.
        private func limitOnServer() throws(ServerPersistenceError) -> Int64 {
            guard let deadline else { return statementTimeout.wholeMilliseconds }
            let left = deadline - ContinuousClock.now
            guard left > .zero else { throw .server(DatabaseServerFailure(.overloaded)) }
            // Rounded up: what the server ends a moment before the deadline would count as its own fault.
            var milliseconds = left.wholeMilliseconds + 1
            if milliseconds > 4 * Self.step { milliseconds = (milliseconds + Self.step - 1) / Self.step * Self.step }
            return statementTimeout > .zero
                ? max(1, min(milliseconds, statementTimeout.wholeMilliseconds)) : milliseconds
        }

        /// Error of the transaction: a statement that was ended with its request says nothing about the database.
        func judged(_ error: ServerPersistenceError) -> ServerPersistenceError {
            guard case .server(let failure) = error, failure.reason == .statementTimeout, let deadline,
                deadline <= ContinuousClock.now
            else { return error }
            return .server(DatabaseServerFailure(.overloaded, state: failure.state))
        }
    }

    let statementTimeout: Duration
    let timeLeft: @Sendable () -> Duration?

    /// Beginning of a transaction for the request of this task.
    func beginning(
        _ words: String?, plans: PostgreSQLSessionSettings.Plans = .chosen
    ) -> Beginning {
        Beginning(
            words: words, statementTimeout: statementTimeout,
            deadline: timeLeft().map { ContinuousClock.now + $0 }, plans: plans)
    }

    func endless(_ words: String) -> Beginning {
        Beginning(words: words, statementTimeout: .zero, deadline: nil)
    }
}
