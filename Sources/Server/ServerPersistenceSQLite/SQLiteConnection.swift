import Foundation
import GRDB
import ServerPersistence

/// The shared dialect on one connection of GRDB, for the length of one closure.
struct SQLiteConnection: SQLConnection {
    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    func execute(_ sql: String, _ arguments: [SQLValue]) throws(ServerPersistenceError) -> Int {
        try SQLiteFailure.mapped {
            try database.cachedStatement(sql: sql).execute(arguments: Self.bound(arguments))
            return database.changesCount
        }
    }

    func rows(_ sql: String, _ arguments: [SQLValue]) throws(ServerPersistenceError) -> [SQLRow] {
        try SQLiteFailure.mapped {
            let statement = try database.cachedStatement(sql: sql)
            let cursor = try Row.fetchCursor(statement, arguments: Self.bound(arguments))
            var rows: [SQLRow] = []
            while let row = try cursor.next() {
                rows.append(SQLRow(try row.databaseValues.map(Self.value)))
            }
            return rows
        }
    }

    private static func bound(_ arguments: [SQLValue]) -> StatementArguments {
        // As optionals of the protocol: for a sequence of one type GRDB makes a key path at every call.
        StatementArguments(
            arguments.map { argument -> (any DatabaseValueConvertible)? in
                switch argument {
                case .null: nil
                case .integer(let number): number
                case .text(let text): text
                case .blob(let bytes): Data(bytes)
                }
            })
    }

    private static func value(_ value: DatabaseValue) throws(ServerPersistenceError) -> SQLValue {
        switch value.storage {
        case .null: .null
        case .int64(let number): .integer(number)
        case .string(let text): .text(text)
        case .blob(let bytes): .blob([UInt8](bytes))
        // The schema has no column of this kind.
        case .double: throw .statement(code: 0)
        }
    }
}
