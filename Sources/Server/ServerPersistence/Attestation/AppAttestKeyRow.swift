import DeviceAttestation
import ServerCore

/// Columns of `app_attest_keys`.
enum AppAttestKeyRow {
    private static let columns = "id, public_key, application, environment, receipt, counter"

    static let selection = "SELECT \(columns) FROM app_attest_keys WHERE id = $1"

    /// Adds a key, unless there is one of its name.
    static let insertion = """
        INSERT INTO app_attest_keys (\(columns), attested_at, used_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        ON CONFLICT DO NOTHING
        """

    /// Moves the counter of a key, if it grows.
    static let use = "UPDATE app_attest_keys SET counter = $1, used_at = $2 WHERE id = $3 AND counter < $1"

    static func key(_ row: SQLRow) throws(ServerPersistenceError) -> AppAttestKey {
        var reader = RowReader(row, table: "app_attest_keys")
        let id = try reader.blob("id") { AppAttestKeyID(stored: $0) }
        return AppAttestKey(
            publicKey: try reader.blob("public_key"), keyID: id.octets, application: try reader.text("application"),
            environment: try reader.text("environment") { AppAttestRequirement.Environment(rawValue: $0) },
            receipt: try reader.blob("receipt"), counter: try reader.integer("counter") { UInt32(exactly: $0) })
    }

    static func arguments(_ key: AppAttestKey, at time: Timestamp) -> [SQLValue] {
        [
            .blob(key.keyID), .blob(key.publicKey), .text(key.application), .text(key.environment.rawValue),
            .blob(key.receipt), .integer(Int64(key.counter)), .integer(time.milliseconds), .integer(time.milliseconds),
        ]
    }
}
