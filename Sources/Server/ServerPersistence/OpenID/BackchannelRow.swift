import OpenID
import ServerCore

/// Row of a request of CIBA.
enum BackchannelRow {
    static let table = "backchannel_requests"

    private static let columns = """
        id, client_id, user_id, ceremony_id, scopes, assurance, notification_token, stage, poll_interval, polled_at,
        created_at, expires_at
        """
    private static let holds = GivenOut.holds("backchannel_requests")

    static let insertion = """
        INSERT INTO backchannel_requests (\(columns), generation)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, \(GivenOut.generation))
        """
    static let selectionByID = "SELECT \(columns) FROM backchannel_requests WHERE id = $1 AND \(holds)"
    static let selectionByCeremony = "SELECT \(columns) FROM backchannel_requests WHERE ceremony_id = $1 AND \(holds)"
    static let progress = """
        UPDATE backchannel_requests SET stage = $1, poll_interval = $2, polled_at = $3 WHERE id = $4 AND stage = $5
        """

    static func insertion(_ request: BackchannelRequest) -> [SQLValue] {
        [
            .blob(request.id.octets), .text(request.client.text), .blob(request.userID.octets),
            .blob(request.ceremony.octets), .text(request.scopes.map(\.rawValue).sorted().joined(separator: " ")),
            .text(request.assurance.map(\.rawValue).joined(separator: " ")),
            .blob(optional: request.sealedNotificationToken), .text(request.stage.rawValue),
            .integer(request.interval.wholeMilliseconds), .integer(optional: request.polledAt?.milliseconds),
            .integer(request.createdAt.milliseconds), .integer(request.expiresAt.milliseconds),
        ]
    }

    static func progress(
        _ request: BackchannelRequest, from known: BackchannelRequest.Stage
    ) -> [SQLValue] {
        [
            .text(request.stage.rawValue), .integer(request.interval.wholeMilliseconds),
            .integer(optional: request.polledAt?.milliseconds), .blob(request.id.octets), .text(known.rawValue),
        ]
    }

    static func request(_ row: SQLRow) throws(ServerPersistenceError) -> BackchannelRequest {
        var reader = RowReader(row, table: table)
        return BackchannelRequest(
            id: try reader.blob("id") { BackchannelRequestHash(stored: $0) },
            client: try reader.text("client_id") { ClientID($0) },
            userID: try reader.blob("user_id") { UserID($0) },
            ceremony: try reader.blob("ceremony_id") { CeremonyID($0) },
            scopes: Set(try reader.text("scopes") { words($0) { ScopeName(rawValue: $0) } }),
            assurance: try reader.text("assurance") { words($0) { Assurance(rawValue: $0) } },
            sealedNotificationToken: try reader.optionalBlob("notification_token"),
            stage: try reader.text("stage") { BackchannelRequest.Stage(rawValue: $0) },
            interval: .milliseconds(try reader.integer("poll_interval")),
            polledAt: try reader.optionalInteger("polled_at").map { Timestamp(milliseconds: $0) },
            createdAt: Timestamp(milliseconds: try reader.integer("created_at")),
            expiresAt: Timestamp(milliseconds: try reader.integer("expires_at")))
    }

    /// The values of words with a space between them; nil when one is none.
    private static func words<Value>(_ text: String, _ make: (String) -> Value?) -> [Value]? {
        let words = text.split(separator: " ").map(String.init)
        let values = words.compactMap(make)
        return values.count == words.count ? values : nil
    }
}
