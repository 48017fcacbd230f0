import GRDB
import ServerPersistence

/// The shared dialect on one connection of GRDB, for the length of one closure.
struct SQLiteConnection: SQLConnection {
    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    func execute(_ sql: String, _ arguments: [SQLValue]) throws(ServerPersistenceError) -> Int {
        try SQLiteStatement(sql, on: database).run(arguments)
    }

    func rows(_ sql: String, _ arguments: [SQLValue]) throws(ServerPersistenceError) -> [SQLRow] {
        var rows: [SQLRow] = []
        try SQLiteStatement(sql, on: database).run(arguments) { rows.append($0) }
        return rows
    }
}
