/// Numbers of rows in a database, for an operator who wants to know whether it is the right one.
package struct DatabaseCounts: Sendable, Hashable {
    /// Tables that are counted, each with its name for people: one of them, and several.
    private static let tables = [
        ("users", "user", "users"), ("credentials", "credential", "credentials"),
        ("dispatch_targets", "device", "devices"), ("clients", "client", "clients"),
        ("audit_records", "audit record", "audit records"),
    ]

    /// Number of rows of one kind, with its name.
    package struct Number: Sendable, Hashable {
        package let name: String
        package let count: Int
    }

    package let numbers: [Number]

    /// Counts the rows of a database; a table that it does not have counts as empty.
    package init(of database: any SQLDatabase) async throws(ServerPersistenceError) {
        numbers = try await database.read { connection throws(ServerPersistenceError) in
            try Self.tables.map { table, _, name throws(ServerPersistenceError) in
                Number(name: name, count: try Self.count(of: table, connection))
            }
        }
    }

    package var users: Int { numbers.first?.count ?? 0 }

    /// The numbers as a list in words, such as `2 users, 1 credential`.
    package var words: String {
        zip(Self.tables, numbers).map { kind, number in
            "\(number.count) \(number.count == 1 ? kind.1 : kind.2)"
        }.joined(separator: ", ")
    }

    /// Whether no server has put its keys or its mark into a database.
    package static func isBlank(_ database: any SQLDatabase) async throws(ServerPersistenceError) -> Bool {
        try await database.read { connection throws(ServerPersistenceError) in
            let (keys, marks) = (
                try count(of: "server_keys", connection), try count(of: DatabaseMark.table, connection)
            )
            return keys + marks == 0
        }
    }

    private static func count(
        of table: String, _ connection: any SQLConnection
    ) throws(ServerPersistenceError) -> Int {
        guard try connection.row(connection.dialect.tableQuery, [.text(table)]) != nil,
            let row = try connection.row("SELECT COUNT(*) FROM \(table)", [])
        else { return 0 }
        var reader = RowReader(row, table: table)
        return try reader.integer("count") { Int(exactly: $0) }
    }
}
