/// Table that is copied, as the catalogue of a database describes it.
struct CopiedTable: Sendable {
    static let batchSize = 500
    /// Tables to which others refer; their rows come first, in this order.
    private static let firstTables = ["users", "dispatch_targets", "credentials", "client_grants"]
    /// Tables that belong to a database and not to its content.
    private static let ownTables: Set = [
        "schema_migrations", DatabaseCopy.mark, DatabaseMark.table, BackupManifest.table,
    ]

    let name: String
    let columns: [String]
    /// Columns of the primary key, in its order; each table has one, so that it is copied batch by batch.
    let key: [String]

    /// All tables of a database whose rows are copied, in an order in which none refers to a later one.
    static func all(_ connection: any SQLConnection) throws(ServerPersistenceError) -> [CopiedTable] {
        try names(connection).map { name throws(ServerPersistenceError) in try CopiedTable(name, connection) }
    }

    /// Names of these tables, also of a database that has not the form of this version.
    static func names(_ connection: any SQLConnection) throws(ServerPersistenceError) -> [String] {
        let names = try connection.rows(connection.dialect.tablesQuery, []).map { row throws(ServerPersistenceError) in
            var reader = RowReader(row, table: "catalogue")
            return try reader.text("name")
        }
        let content = names.filter { !ownTables.contains($0) }
        return firstTables.filter(content.contains) + content.filter { !firstTables.contains($0) }
    }

    private init(_ name: String, _ connection: any SQLConnection) throws(ServerPersistenceError) {
        self.name = name
        var columns: [String] = []
        var key: [Int64: String] = [:]
        for row in try connection.rows(connection.dialect.columnsQuery, [.text(name)]) {
            var reader = RowReader(row, table: name)
            let column = try reader.text("name")
            let place = try reader.integer("key")
            columns.append(column)
            if place > 0 { key[place] = column }
        }
        guard !key.isEmpty else { throw .corruptRow(table: name, column: "primary key") }
        self.columns = columns
        self.key = key.sorted { $0.key < $1.key }.map(\.value)
    }

    // MARK: - Statements

    private var columnList: String { columns.joined(separator: ", ") }
    private var order: String { key.joined(separator: ", ") }

    /// Rows behind the one with the values `last` in the key, a batch at most.
    func rows(after last: [SQLValue], _ connection: any SQLConnection) throws(ServerPersistenceError) -> [SQLRow] {
        let places = last.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        let condition = last.isEmpty ? "" : "WHERE (\(order)) > (\(places)) "
        return try connection.rows(
            "SELECT \(columnList) FROM \(name) \(condition)ORDER BY \(order) LIMIT $\(last.count + 1)",
            last + [.integer(Int64(Self.batchSize))])
    }

    func keyValues(of row: SQLRow) -> [SQLValue] {
        key.compactMap { name in columns.firstIndex(of: name).map { row.values[$0] } }
    }

    /// Values of the last row in the key; empty for a table without rows.
    func lastKey(_ connection: any SQLConnection) throws(ServerPersistenceError) -> [SQLValue] {
        let order = key.map { $0 + " DESC" }.joined(separator: ", ")
        return try connection.row("SELECT \(key.joined(separator: ", ")) FROM \(name) ORDER BY \(order) LIMIT 1", [])?
            .values ?? []
    }

    func write(_ rows: [SQLRow], _ connection: any SQLConnection) throws(ServerPersistenceError) {
        let places = columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        let sql = "INSERT INTO \(name) (\(columnList)) VALUES (\(places))"
        for row in rows { try connection.enqueue(sql, row.values) }
    }

    func count(_ connection: any SQLConnection) throws(ServerPersistenceError) -> Int {
        guard let row = try connection.row("SELECT COUNT(*) FROM \(name)", []) else { return 0 }
        var reader = RowReader(row, table: name)
        return try reader.integer("count") { Int(exactly: $0) }
    }
}
