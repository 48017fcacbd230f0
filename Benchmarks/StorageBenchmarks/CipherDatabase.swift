import CSQLCipher

/// Table of names and texts in SQLCipher with its default journal mode and settings.
final class CipherDatabase {
    /// Key of the database file.
    enum Key {
        /// 32 bytes that are used as they are.
        case raw
        /// A passphrase, derived with the library's default.
        case passphrase

        fileprivate var pragma: String {
            switch self {
            case .raw: "PRAGMA key = \"x'\(String(repeating: "5a", count: 32))'\""
            case .passphrase: "PRAGMA key = 'correct horse battery staple'"
            }
        }
    }

    private var database: OpaquePointer?
    private var selection: OpaquePointer?
    private var replacement: OpaquePointer?

    /// Opens or creates the file, and prepares one statement each for reading and writing.
    init(_ path: String, key: Key) throws {
        try check(sqlite3_open(path, &database))
        try run(key.pragma)
        // Without row numbers the rows are in the B-tree of the names, which made reading a quarter slower.
        try run("CREATE TABLE IF NOT EXISTS entries (name TEXT PRIMARY KEY, value TEXT NOT NULL)")
        try check(
            sqlite3_prepare_v2(database, "SELECT value FROM entries WHERE name = ?", -1, &selection, nil))
        try check(
            sqlite3_prepare_v2(
                database, "INSERT OR REPLACE INTO entries (name, value) VALUES (?, ?)", -1, &replacement, nil))
    }

    deinit {
        sqlite3_finalize(selection)
        sqlite3_finalize(replacement)
        sqlite3_close(database)
    }

    /// Text of a name.
    func get(_ name: String) throws -> String {
        defer { sqlite3_reset(selection) }
        // The name outlives the step, so that nothing has to be copied.
        return try name.withCString { name in
            try check(sqlite3_bind_text(selection, 1, name, -1, nil))
            guard sqlite3_step(selection) == SQLITE_ROW, let text = sqlite3_column_text(selection, 0) else {
                throw BenchmarkFailure.wrongValue
            }
            return String(cString: text)
        }
    }

    /// Writes the text of a name; outside of a transaction it is durable when the call returns.
    func put(_ value: String, _ name: String) throws {
        defer { sqlite3_reset(replacement) }
        try name.withCString { name in
            try value.withCString { value in
                try check(sqlite3_bind_text(replacement, 1, name, -1, nil))
                try check(sqlite3_bind_text(replacement, 2, value, -1, nil))
                let code = sqlite3_step(replacement)
                guard code == SQLITE_DONE else { throw BenchmarkFailure.cipherDatabase(code: code) }
            }
        }
    }

    /// Runs `work` in one transaction.
    func transaction(_ work: () throws -> Void) throws {
        try run("BEGIN IMMEDIATE")
        try work()
        try run("COMMIT")
    }

    private func run(_ statement: String) throws {
        try check(sqlite3_exec(database, statement, nil, nil, nil))
    }

    private func check(_ code: Int32) throws {
        guard code == SQLITE_OK else { throw BenchmarkFailure.cipherDatabase(code: code) }
    }
}
