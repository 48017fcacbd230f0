import GRDB
import ServerPersistence

/// Turns errors of GRDB into ours; the text of an error stays behind, since it may quote stored values.
enum SQLiteFailure {
    static func mapped<Value>(_ body: () throws -> Value) throws(ServerPersistenceError) -> Value {
        try result(body).get()
    }

    static func result<Value>(_ body: () throws -> Value) -> Result<Value, ServerPersistenceError> {
        do {
            return .success(try body())
        } catch let error as ServerPersistenceError {
            return .failure(error)
        } catch let error as DatabaseError {
            return .failure(mapped(error))
        } catch {
            // GRDB throws nothing else but the errors of the closures handed to it.
            return .failure(.statement(code: 0))
        }
    }

    private static func mapped(_ error: DatabaseError) -> ServerPersistenceError {
        failure(code: error.extendedResultCode.rawValue)
    }

    static var busy: ServerPersistenceError { failure(code: ResultCode.SQLITE_BUSY.rawValue) }

    /// Error for an extended result code of SQLite; its lowest byte is the code that it extends.
    static func failure(code: Int32) -> ServerPersistenceError {
        switch ResultCode(rawValue: code & 0xFF) {
        case .SQLITE_CONSTRAINT: .constraint(code: Int(code))
        case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_READONLY, .SQLITE_CANTOPEN,
            .SQLITE_NOMEM, .SQLITE_INTERRUPT, .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_PERM, .SQLITE_ABORT:
            .unavailable(code: Int(code))
        default: .statement(code: Int(code))
        }
    }
}
