package import ServerCore

/// Mark of a database: which one it is, and until when it was served.
///
/// A server writes it into the database and, after that, beside it. One that was put back from a copy is behind the mark
/// beside it.
package struct DatabaseMark: Sendable, Hashable {
    static let table = "database_mark"
    private static let identityByteCount = 16

    /// Random name of the database, 32 hexadecimal digits.
    package let identity: String
    /// Time up to which it was served; never earlier than one that was written before.
    package let servedUntil: Timestamp

    package init(identity: String, servedUntil: Timestamp) {
        self.identity = identity
        self.servedUntil = servedUntil
    }

    package init(from random: some RandomSource, at now: Timestamp) {
        let identity = random.bytes(count: Self.identityByteCount).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        self.init(identity: identity.joined(), servedUntil: now)
    }

    /// The mark of a later time: `now`, or a little more than the times of the marks that are known.
    package func advanced(beyond other: DatabaseMark? = nil, at now: Timestamp) -> DatabaseMark {
        let last = max(servedUntil, other?.servedUntil ?? servedUntil)
        return DatabaseMark(identity: identity, servedUntil: max(now, last + .milliseconds(1)))
    }

    /// Text of the mark beside a database.
    package var text: String { "\(identity) \(servedUntil.milliseconds)\n" }

    package init?(text: String) {
        let parts = text.split(separator: " ")
        guard parts.count == 2, parts[0].count == 2 * Self.identityByteCount, parts[0].allSatisfy(\.isHexDigit),
            parts[1].hasSuffix("\n"), let time = Int64(parts[1].dropLast()), time >= 0
        else { return nil }
        self.init(identity: String(parts[0]), servedUntil: Timestamp(milliseconds: time))
    }
}

extension DatabaseMark {
    /// The mark as a database has it.
    package struct Stored: Sendable, Hashable {
        package let mark: DatabaseMark
        /// False for the row of a dump that was restored into another table than it was written into.
        package let isAtHome: Bool

        package init(mark: DatabaseMark, isAtHome: Bool) {
            self.mark = mark
            self.isAtHome = isAtHome
        }
    }

    package static func stored(in database: any SQLDatabase) async throws(ServerPersistenceError) -> Stored? {
        try await database.read { connection throws(ServerPersistenceError) in try stored(connection) }
    }

    /// Writes the mark that `rule` makes of the one that is stored; nothing when it makes none.
    package static func write(
        to database: any SQLDatabase, _ rule: @escaping @Sendable (Stored?) -> DatabaseMark?
    ) async throws(ServerPersistenceError) {
        try await database.transaction { connection throws(ServerPersistenceError) in
            try connection.lock(.mark)
            guard let mark = rule(try stored(connection)) else { return }
            _ = try connection.execute(
                """
                INSERT INTO \(table) (id, identity, served_until, home) VALUES (1, $1, $2, $3)
                ON CONFLICT (id) DO UPDATE SET identity = $1, served_until = $2, home = $3
                """,
                [.text(mark.identity), .integer(mark.servedUntil.milliseconds), .integer(try home(connection))])
        }
    }

    /// Forgets the mark: the database then counts as a new one.
    package static func remove(from database: any SQLDatabase) async throws(ServerPersistenceError) {
        try await database.transaction { connection throws(ServerPersistenceError) in
            _ = try connection.execute("DELETE FROM \(table)", [])
        }
    }

    private static func stored(_ connection: any SQLConnection) throws(ServerPersistenceError) -> Stored? {
        let row = try connection.row("SELECT identity, served_until, home FROM \(table) WHERE id = 1", [])
        guard let row else { return nil }
        var reader = RowReader(row, table: table)
        let mark = DatabaseMark(
            identity: try reader.text("identity"),
            servedUntil: Timestamp(milliseconds: try reader.integer("served_until")))
        return Stored(mark: mark, isAtHome: try reader.integer("home") == home(connection))
    }

    private static func home(_ connection: any SQLConnection) throws(ServerPersistenceError) -> Int64 {
        guard let row = try connection.row(connection.dialect.homeQuery, []) else { return 0 }
        var reader = RowReader(row, table: "catalogue")
        return try reader.integer("home")
    }
}
