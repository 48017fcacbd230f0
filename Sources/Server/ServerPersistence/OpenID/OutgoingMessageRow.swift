import OpenID
import ServerCore

/// Columns of `outgoing_messages`.
enum OutgoingMessageRow {
    private static let columns =
        "id, kind, destination, content, created_at, state, attempts, next_attempt_at, last_failure"

    static let selectionByID = "SELECT \(columns) FROM outgoing_messages WHERE id = $1"

    static let selectionByState =
        "SELECT \(columns) FROM outgoing_messages WHERE state = $1 ORDER BY created_at DESC, id DESC LIMIT $2"

    /// Finds the next receiver of waiting messages, in the order of kinds and names.
    static let receiverSelection = """
        SELECT kind, destination FROM outgoing_messages WHERE state = 'waiting' AND (kind, destination) > ($1, $2)
        ORDER BY kind, destination LIMIT 1
        """

    /// Finds the times of the waiting messages of a receiver: the oldest first, or those first whose time comes first.
    static func timeSelection(ofOrdered isOrdered: Bool) -> String {
        """
        SELECT next_attempt_at FROM outgoing_messages WHERE state = 'waiting' AND kind = $1 AND destination = $2
        ORDER BY \(isOrdered ? "created_at" : "next_attempt_at"), id LIMIT $3
        """
    }

    /// Finds the oldest waiting messages of a receiver, due or not.
    static let selectionByAge = """
        SELECT \(columns) FROM outgoing_messages WHERE state = 'waiting' AND kind = $1 AND destination = $2
        ORDER BY created_at, id LIMIT $3
        """

    /// Finds the messages of a receiver whose time has come, those first whose time came first.
    static let selectionByTime = """
        SELECT \(columns) FROM outgoing_messages
        WHERE state = 'waiting' AND kind = $1 AND destination = $2 AND next_attempt_at <= $3
        ORDER BY next_attempt_at, id LIMIT $4
        """

    static let insertion = """
        INSERT INTO outgoing_messages (\(columns)) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
        ON CONFLICT (id) DO NOTHING
        """

    static let update = """
        UPDATE outgoing_messages SET state = $1, attempts = $2, next_attempt_at = $3, last_failure = $4
        WHERE id = $5 AND attempts = $6
        """

    static func receiver(_ row: SQLRow) throws(ServerPersistenceError) -> OutgoingReceiver {
        var reader = RowReader(row, table: "outgoing_messages")
        let kind = try reader.text("kind") { OutgoingMessage.Kind(rawValue: $0) }
        return OutgoingReceiver(kind: kind, name: try reader.text("destination"))
    }

    static func time(_ row: SQLRow) throws(ServerPersistenceError) -> Timestamp {
        var reader = RowReader(row, table: "outgoing_messages")
        return Timestamp(milliseconds: try reader.integer("next_attempt_at"))
    }

    static func message(_ row: SQLRow) throws(ServerPersistenceError) -> OutgoingMessage {
        var reader = RowReader(row, table: "outgoing_messages")
        return OutgoingMessage(
            stored: try reader.blob("id") { OutgoingMessageID($0) },
            kind: try reader.text("kind") { OutgoingMessage.Kind(rawValue: $0) },
            destination: try reader.text("destination"), content: try reader.blob("content"),
            createdAt: Timestamp(milliseconds: try reader.integer("created_at")),
            state: try reader.text("state") { OutgoingMessage.State(rawValue: $0) },
            attempts: try reader.integer("attempts") { Int(exactly: $0) },
            nextAttemptAt: Timestamp(milliseconds: try reader.integer("next_attempt_at")),
            lastFailure: try reader.optionalText("last_failure"))
    }

    static func arguments(_ message: OutgoingMessage) -> [SQLValue] {
        [
            .blob(message.id.octets), .text(message.kind.rawValue), .text(message.destination),
            .blob(message.content), .integer(message.createdAt.milliseconds), .text(message.state.rawValue),
            .integer(Int64(message.attempts)), .integer(message.nextAttemptAt.milliseconds),
            .text(optional: message.lastFailure),
        ]
    }

    static func arguments(_ message: OutgoingMessage, attempts known: Int) -> [SQLValue] {
        [
            .text(message.state.rawValue), .integer(Int64(message.attempts)),
            .integer(message.nextAttemptAt.milliseconds), .text(optional: message.lastFailure),
            .blob(message.id.octets), .integer(Int64(known)),
        ]
    }
}
