import GRDBSQLite
import ServerPersistence

extension SQLValue {
    /// Binds the value to a parameter, counted from 1; returns the code of SQLite.
    func bind(at index: Int32, of handle: OpaquePointer) -> Int32 {
        // SQLite copies the bytes before the call returns, and takes an absent address for NULL.
        let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        switch self {
        case .null: return sqlite3_bind_null(handle, index)
        case .integer(let number): return sqlite3_bind_int64(handle, index, number)
        case .text(""): return sqlite3_bind_text(handle, index, "", 0, copied)
        case .text(var text):
            return text.withUTF8 { octets in
                octets.withMemoryRebound(to: CChar.self) {
                    sqlite3_bind_text(handle, index, $0.baseAddress, Int32($0.count), copied)
                }
            }
        case .blob([]): return sqlite3_bind_zeroblob(handle, index, 0)
        case .blob(let bytes):
            return bytes.withUnsafeBytes { sqlite3_bind_blob(handle, index, $0.baseAddress, Int32($0.count), copied) }
        }
    }

    /// Value of a column of the current row, counted from 0.
    ///
    /// Throws ``ServerPersistenceError/statement(code:)`` for a kind that no column of the schema has.
    init(_ column: Int32, of handle: OpaquePointer) throws(ServerPersistenceError) {
        switch sqlite3_column_type(handle, column) {
        case SQLITE_NULL: self = .null
        case SQLITE_INTEGER: self = .integer(sqlite3_column_int64(handle, column))
        case SQLITE_TEXT:
            let start = sqlite3_column_text(handle, column)
            let count = Int(sqlite3_column_bytes(handle, column))
            self = .text(String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self))
        case SQLITE_BLOB:
            let start = sqlite3_column_blob(handle, column)
            let count = Int(sqlite3_column_bytes(handle, column))
            self = .blob([UInt8](UnsafeRawBufferPointer(start: start, count: count)))
        // The schema has no column of another kind.
        default: throw .statement(code: 0)
        }
    }
}
