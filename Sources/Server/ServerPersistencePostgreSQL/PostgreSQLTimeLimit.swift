import ServerCore
import ServerPersistence

/// Limit of the time of statements: that of the settings, or the time that is left for the request behind them.
struct PostgreSQLTimeLimit: Sendable {
    /// Beginning of a transaction, with the moment after which its statements are of no use.
    struct Beginning: Sendable {
        let words: String
        let statementTimeout: Duration
        let deadline: ContinuousClock.Instant?

        /// Lets the beginning wait for the first statement of the transaction.
        ///
        /// Throws ``DatabaseServerFailure/Reason/overloaded`` when the moment has passed: nothing is run then.
        func enqueue(on session: PostgreSQLSession) throws(ServerPersistenceError) {
            guard let deadline else { return try session.enqueue(words, []) }
            let left = deadline - ContinuousClock.now
            guard left > .zero else { throw .server(DatabaseServerFailure(.overloaded)) }
            try session.enqueue(words, [])
            let time = statementTimeout > .zero ? min(left, statementTimeout) : left
            let milliseconds = max(1, time.wholeMilliseconds)
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
}
