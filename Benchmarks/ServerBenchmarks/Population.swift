import Crypto
import Octets
import ServerCore
import ServerPersistence
import TestSupport
import UAF

/// Users in the database before the server starts, written straight through the storage in large pieces.
///
/// The services would add one user after the other, each with a record of the audit; a million of them would take hours.
struct Population: Sendable {
    /// Number of users with a credential, which the load generator has the key of.
    let userCount: Int
    /// Keys of those users.
    let keys: PopulationKeys

    /// Users without a credential, for phones that register by themselves.
    static let phoneCount = Load.phoneLimit + OutOfBandPairs.count
    /// Users without a credential, for the registrations of a load.
    static let newcomerCount = 10_000

    /// Rows of one statement of PostgreSQL, which has room for more than 32,000 values.
    ///
    /// SQLite has one row for each: with several it writes down what each page was before, in case that one is refused.
    private static let rowsOfStatement = 250
    /// Users of a transaction where no other number is named.
    private static let usersOfTransaction = 25_000
    /// Users at most that are made at a time; their rows are written in the order of their identifiers.
    ///
    /// Next to each other in it, rows have pages in common, and what leads there; a population is many such pieces, so that
    /// the pages of the indexes are as full as if users had come one by one.
    private static let usersOfPiece = 100_000

    /// Name of a user with a credential, from 0 to ``userCount``.
    static func user(_ number: Int) -> String { "user\(number)" }

    /// Name of the user of a phone that registers.
    static func phoneUser(_ number: Int) -> String { "phone\(number)" }

    /// Name of a user for a registration under load.
    static func newcomer(_ number: Int) -> String { "newcomer\(number)" }

    /// Makes the tables and writes all users; `written` hears how many with a credential there are so far.
    func write(
        into database: any SQLDatabase, usersOfTransaction: Int = Self.usersOfTransaction,
        written: @escaping @Sendable (Int) -> Void = { _ in }
    ) async throws {
        let now = SystemWallClock().now()
        try await Migrator().migrate(database, at: now)
        try await write((0..<Self.phoneCount).map { Member(Self.phoneUser($0)) }, into: database, at: now)
        try await write((0..<Self.newcomerCount).map { Member(Self.newcomer($0)) }, into: database, at: now)
        for numbers in Self.pieces(of: 0..<userCount, usersOfTransaction) {
            try await database.transaction { connection throws(ServerPersistenceError) in
                for piece in Self.pieces(of: numbers, Self.usersOfPiece) {
                    let members = piece.map { Member(Self.user($0), key: $0) }
                        .sorted { $0.id.lexicographicallyPrecedes($1.id) }
                    try insert(members, connection, at: now)
                    written(piece.upperBound)
                }
            }
        }
    }

    private func write(_ members: [Member], into database: any SQLDatabase, at now: Timestamp) async throws {
        try await database.transaction { connection throws(ServerPersistenceError) in
            try insert(members, connection, at: now)
        }
    }

    private func insert(
        _ members: [Member], _ connection: any SQLConnection, at now: Timestamp
    ) throws(ServerPersistenceError) {
        let (users, aliases) = (members.map { $0.user(at: now) }, members.flatMap(\.aliases))
        let credentials = members.compactMap { $0.credential(keys, at: now) }
        try Self.insert(users, into: "users (id, name, external_id, status, created_at)", connection)
        try Self.insert(aliases, into: "user_aliases (alias, user_id)", connection)
        try Self.insert(members.flatMap(\.found), into: "user_search (kind, value, user_id)", connection)
        try Self.insert(members.map(\.auditSubject), into: "audit_subjects (user_id, key)", connection)
        try Self.insert(credentials, into: Member.credentialColumns, connection)
    }

    private static func pieces(of numbers: Range<Int>, _ count: Int) -> [Range<Int>] {
        stride(from: numbers.lowerBound, to: numbers.upperBound, by: max(count, 1)).map { start in
            start..<min(start + count, numbers.upperBound)
        }
    }

    private static func insert(
        _ rows: [[SQLValue]], into table: String, _ connection: any SQLConnection
    ) throws(ServerPersistenceError) {
        guard let columns = rows.first?.count else { return }
        guard connection.dialect != .sqlite else {
            _ = try connection.execute(insertion(into: table, rows: 1, columns), each: rows)
            return
        }
        for start in stride(from: 0, to: rows.count, by: rowsOfStatement) {
            let piece = rows[start..<min(start + rowsOfStatement, rows.count)]
            try connection.execute(insertion(into: table, rows: piece.count, columns), piece.flatMap { $0 })
        }
    }

    private static func insertion(into table: String, rows: Int, _ columns: Int) -> String {
        let places = (0..<rows).map { row in
            "(\((1...columns).map { "$\(row * columns + $0)" }.joined(separator: ", ")))"
        }
        return "INSERT INTO \(table) VALUES \(places.joined(separator: ", "))"
    }
}

extension Population {
    /// User of a population, with identifiers that are random to the database and the same in every run.
    private struct Member {
        static let credentialColumns = """
            credentials (
                registration_id, user_id, aaid, key_id, algorithm, public_key_format, public_key, sign_counter,
                registration_counter, authenticator_version, status, registered_at)
            """

        let name: String
        /// Number of the user's key; nil without a credential.
        let key: Int?
        let id: [UInt8]
        let externalID: String

        init(_ name: String, key: Int? = nil) {
            self.name = name
            self.key = key
            id = Self.identifier("user \(name)")
            externalID = Base64URL.encode(id)
        }

        var aliases: [[SQLValue]] { [[.text(name), .blob(id)], [.text(externalID), .blob(id)]] }

        /// Names by which administrators find the user, in lower case.
        var found: [[SQLValue]] {
            let values: [(UserSearch.Kind, String)] = [(.username, name), (.externalID, externalID.lowercased())]
            return values.map { [.text($0.rawValue), .text($1), .blob(id)] }
        }

        func user(at now: Timestamp) -> [SQLValue] {
            [
                .blob(id), .text(name), .text(externalID), .text(User.Status.active.rawValue),
                .integer(now.milliseconds),
            ]
        }

        /// Key that seals what names the user in the audit.
        var auditSubject: [SQLValue] { [.blob(id), .blob(Array(SHA256.hash(data: id)))] }

        func credential(_ keys: PopulationKeys, at now: Timestamp) -> [SQLValue]? {
            guard let key else { return nil }
            let authenticator = keys.authenticator(of: key)
            return [
                .blob(Self.identifier("registration \(name)")), .blob(id), .text(authenticator.aaid.text),
                .blob(authenticator.keyID), .integer(Int64(authenticator.algorithm.rawValue)),
                .integer(Int64(authenticator.format.rawValue)), .blob(keys.publicKey(of: key)),
                .integer(Int64(authenticator.counters.signatures)),
                .integer(Int64(authenticator.counters.registrations)), .integer(Int64(authenticator.version)),
                .text(RegisteredCredential.Status.active.rawValue), .integer(now.milliseconds),
            ]
        }

        private static func identifier(_ text: String) -> [UInt8] {
            Array(SHA256.hash(data: Array(text.utf8)).prefix(UserID.byteCount))
        }
    }
}
