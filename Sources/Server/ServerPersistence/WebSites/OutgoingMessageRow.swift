import ServerCore

/// Columns of `outgoing_messages`.
enum OutgoingMessageRow {
    private static let columns =
        "id, kind, destination, content, created_at, state, attempts, next_attempt_at, last_failure"

    static let selectionByID = "SELECT \(columns) FROM outgoing_messages WHERE id = $1"

    static let selectionByState =
        "SELECT \(columns) FROM outgoing_messages WHERE state = $1 ORDER BY created_at DESC, id DESC LIMIT $2"

    /// Finds what is due; contents are read of those only that are found.
    static let selectionDue = """
        SELECT \(columns) FROM outgoing_messages WHERE id IN (
            SELECT id FROM (
                SELECT id, ROW_NUMBER() OVER (PARTITION BY kind, destination ORDER BY created_at, id) AS place FROM (
                    SELECT id, kind, destination, created_at, next_attempt_at,
                        MAX(next_attempt_at) OVER (PARTITION BY kind, destination ORDER BY created_at, id) AS ready_at
                    FROM outgoing_messages WHERE state = 'waiting'
                ) AS ordered
                WHERE next_attempt_at <= $1 AND (kind <> 'webhook' OR ready_at <= $1)
            ) AS numbered
            WHERE place <= 16
        ) ORDER BY created_at, id LIMIT $2
        """

    static let insertion = """
        INSERT INTO outgoing_messages (\(columns)) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
        ON CONFLICT (id) DO NOTHING
        """

    static let update = """
        UPDATE outgoing_messages SET state = $1, attempts = $2, next_attempt_at = $3, last_failure = $4
        WHERE id = $5 AND attempts = $6
        """

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
