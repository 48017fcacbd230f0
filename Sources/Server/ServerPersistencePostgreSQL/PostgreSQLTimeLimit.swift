import ServerCore
import ServerPersistence

/// Limit of the time of statements: that of the settings, or the time that is left for the request behind them.
struct PostgreSQLTimeLimit: Sendable {
    /// Beginning of a transaction, with the moment after which its statements are of no use.
    struct Beginning: Sendable {
        let words: String
        let statementTimeout: Duration
        let deadline: ContinuousClock.Instant?

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
            session.waitLimit = PostgreSQLWaitLimit(statementTimeout: statementTimeout, deadline: deadline)
            guard let deadline else { return try session.enqueue(words, []) }
            let left = deadline - ContinuousClock.now
            guard left > .zero else { throw .server(DatabaseServerFailure(.overloaded)) }
            try session.enqueue(words, [])
            // Rounded up: what the server ends a moment before the deadline would count as its own fault.
            var milliseconds = left.wholeMilliseconds + 1
            if statementTimeout > .zero { milliseconds = max(1, min(milliseconds, statementTimeout.wholeMilliseconds)) }
            try session.enqueue(
                "SELECT set_config('statement_timeout', $1, true)", [.text("\(milliseconds)ms")])
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
    func beginning(_ words: String) -> Beginning {
        Beginning(
            words: words, statementTimeout: statementTimeout,
            deadline: timeLeft().map { ContinuousClock.now + $0 })
    }

    /// Beginning of a transaction that takes any time, which its body tells the server.
    func endless(_ words: String) -> Beginning {
        Beginning(words: words, statementTimeout: .zero, deadline: nil)
    }
}
