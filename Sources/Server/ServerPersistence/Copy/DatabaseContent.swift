/// Content of a database: the number and the hash of the rows of each table, whichever form it has.
package struct DatabaseContent: Sendable, Hashable {
    /// Content of one table.
    package struct Table: Sendable, Hashable {
        package let name: String
        package let rows: Int
        /// Hash over the rows in the order of their keys, as hexadecimal digits.
        package let hash: String

        package init(name: String, rows: Int, hash: String) {
            self.name = name
            self.rows = rows
            self.hash = hash
        }
    }

    /// Tables in the order in which a copy writes them.
    package let tables: [Table]

    package init(tables: [Table]) {
        self.tables = tables
    }

    /// Reads a database that no process changes meanwhile, each row once.
    package init(of database: any SQLDatabase) async throws(ServerPersistenceError) {
        let copied = try await database.read { connection throws(ServerPersistenceError) in
            try CopiedTable.all(connection)
        }
        var tables: [Table] = []
        for table in copied { tables.append(try await Self.content(of: table, in: database)) }
        self.tables = tables
    }

    private static func content(
        of table: CopiedTable, in database: any SQLDatabase
    ) async throws(ServerPersistenceError) -> Table {
        var hash = RowsHash()
        var last: [SQLValue] = []
        while true {
            let key = last
            let rows = try await database.read { connection throws(ServerPersistenceError) in
                try table.rows(after: key, connection)
            }
            guard let end = rows.last else { break }
            hash.add(rows)
            last = table.keyValues(of: end)
        }
        return Table(name: table.name, rows: hash.count, hash: hash.text)
    }
}
