import CPostgreSQL
import ServerPersistence

/// Turns failures of libpq and of the server into errors; the text of a statement's error stays behind, since it may
/// quote stored values.
enum PostgreSQLFailure {
    static func error(of result: OpaquePointer?) -> ServerPersistenceError {
        // PG_DIAG_SQLSTATE, a character in the C header.
        guard let field = PQresultErrorField(result, Int32(UInt8(ascii: "C"))) else {
            return .server(DatabaseServerFailure(.connectionLost))
        }
        return error(state: String(cString: field))
    }

    static func error(state: String) -> ServerPersistenceError {
        switch state {
        // A serialization failure, or a deadlock.
        case "40001", "40P01": .conflict
        case "55P03": failure(.lockTimeout, state)
        case "57014": failure(.statementTimeout, state)
        case "25006": failure(.readOnly, state)
        case "42501": failure(.permission, state)
        case "3D000": failure(.databaseMissing, state)
        default: error(class: state.prefix(2), state)
        }
    }

    private static func error(class name: Substring, _ state: String) -> ServerPersistenceError {
        switch name {
        case "23": .constraint(code: code(state))
        case "53": failure(state == "53300" ? .tooManyConnections : .resources, state)
        case "57", "25": failure(.shutdown, state)
        case "08": failure(.connectionLost, state)
        case "28": failure(.unauthorized, state)
        case "58", "XX", "F0": failure(.other, state)
        default: .statement(code: code(state))
        }
    }

    private static func failure(_ reason: DatabaseServerFailure.Reason, _ state: String) -> ServerPersistenceError {
        .server(DatabaseServerFailure(reason, state: state))
    }

    /// An SQLSTATE, which has five digits and capital letters, as a number.
    static func code(_ state: String) -> Int { Int(state, radix: 36) ?? 0 }

    /// Error of a connection that could not be made, from the words of libpq, which has no other way to tell.
    static func connecting(_ message: String) -> ServerPersistenceError {
        let detail = message.split(separator: "\n").joined(separator: " ")
        let reason = reasons.first { words, _ in words.contains { detail.contains($0) } }?.reason ?? .unreachable
        return .server(DatabaseServerFailure(reason, detail: detail))
    }

    /// The first that fits counts: what the server says of an account names role, database and encryption as well.
    private static let reasons: [(words: [String], reason: DatabaseServerFailure.Reason)] = [
        (["pg_hba.conf", "valid client certificate"], .unauthorized),
        (["too many clients", "remaining connection slots", "too many connections"], .tooManyConnections),
        (["starting up", "shutting down", "recovery", "currently accepting", "yet accepting"], .shutdown),
        (["permission denied"], .permission),
        (["password", "authentication", "role \""], .unauthorized),
        (["database \""], .databaseMissing),
        (["SSL", "certificate", "TLS"], .untrusted),
        (["read-only", "standby"], .readOnly),
    ]
}
