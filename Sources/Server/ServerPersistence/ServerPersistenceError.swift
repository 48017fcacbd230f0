/// Failure of the database, or refusal to use it.
@nonexhaustive
package enum ServerPersistenceError: Error, Hashable, Sendable {
    /// The database file cannot be reached, is full, or stayed locked for longer than the time-out: try again later.
    case unavailable(code: Int)
    /// More waits to be written than may, or the request that wanted it has ended: nothing was run, and nothing will be.
    case overloaded
    /// A database server cannot be reached, or refuses: see the reason.
    case server(DatabaseServerFailure)
    /// The database has given the transaction up in favour of another one: run again from the start, it may succeed.
    case conflict
    /// A statement breaks a rule of the schema; the code asking is at fault, or two writers collided.
    ///
    /// The code is the result code of SQLite, or the SQLSTATE read as a number with 36 digits.
    case constraint(code: Int)
    /// The database refuses the statement itself; the code asking is at fault. The code is as for a constraint.
    case statement(code: Int)
    /// A stored value is not what the schema promises: the database was changed from outside.
    case corruptRow(table: String, column: String)
    /// The database does not keep what was committed safe in the way asked for: do not start on it.
    case unsafeSetting(name: String)
    /// The file cannot be made or protected; the number is the system's error code.
    case file(errorNumber: Int32)
    /// The database was written by a newer server: upgrade this one, or restore a backup.
    case newerSchema(number: Int)
    /// The database was written by an older server, and is not to be changed without a word: migrate it first.
    case olderSchema
    /// A recorded migration has another name than ours of that number: this is not our database.
    case foreignSchema(number: Int)
    /// A copy into the database was begun and not finished: finish it, or empty the database.
    case unfinishedCopy
}

extension ServerPersistenceError {
    /// Whether a statement has ended with it before anything was committed, and others may succeed without that one.
    var isOfOneStatement: Bool {
        switch self {
        case .constraint, .statement, .corruptRow: true
        case .server(let failure): failure.reason == .lockTimeout
        default: false
        }
    }

    var isLockTimeout: Bool {
        if case .server(let failure) = self { failure.reason == .lockTimeout } else { false }
    }

    /// Whether the transaction in which it happened cannot go on, also from a savepoint.
    var endsTransaction: Bool {
        switch self {
        case .conflict: true
        case .server(let failure): [.connectionLost, .shutdown, .unanswered].contains(failure.reason)
        default: false
        }
    }
}
