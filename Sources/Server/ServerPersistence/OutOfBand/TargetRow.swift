import BackendAPI
import ServerCore

/// Columns of `dispatch_targets`.
enum TargetRow {
    static let columns = """
        dispatch_targets.id, dispatch_targets.external_id, dispatch_targets.user_id, dispatch_targets.device_id,
        dispatch_targets.name, dispatch_targets.dispatcher, dispatch_targets.destination,
        dispatch_targets.signature_key, dispatch_targets.encryption_key, dispatch_targets.created_at
        """

    static let selectionByID = """
        SELECT \(columns), \(UserRow.columns)
        FROM dispatch_targets JOIN users ON users.id = dispatch_targets.user_id WHERE dispatch_targets.id = $1
        """

    static let selectionByExternalID = """
        SELECT \(columns), \(UserRow.columns)
        FROM dispatch_targets JOIN users ON users.id = dispatch_targets.user_id WHERE dispatch_targets.external_id = $1
        """

    /// Finds the targets of a device and key with their users, oldest first.
    static let selectionByDevice = """
        SELECT \(columns), \(UserRow.columns)
        FROM dispatch_targets JOIN users ON users.id = dispatch_targets.user_id
        WHERE dispatch_targets.device_id = $1 AND dispatch_targets.signature_thumbprint = $2
        ORDER BY dispatch_targets.created_at, dispatch_targets.id
        """

    /// Finds the targets of a user, oldest first.
    static let selectionByUser =
        "SELECT \(columns) FROM dispatch_targets WHERE user_id = $1 ORDER BY created_at, id"

    static func target(_ row: SQLRow) throws(ServerPersistenceError) -> DispatchTarget {
        var reader = RowReader(row, table: "dispatch_targets")
        return try target(&reader)
    }

    static func ownedTarget(_ row: SQLRow) throws(ServerPersistenceError) -> OwnedTarget {
        var reader = RowReader(row, table: "dispatch_targets")
        return OwnedTarget(target: try target(&reader), user: try UserRow.user(&reader))
    }

    private static func target(_ reader: inout RowReader) throws(ServerPersistenceError) -> DispatchTarget {
        DispatchTarget(
            id: try reader.blob("id") { DispatchTargetID($0) },
            externalID: try reader.blob("external_id") { TargetExternalID($0) },
            userID: try reader.blob("user_id") { UserID($0) },
            deviceID: try reader.optionalText("device_id") { DeviceID($0) },
            name: try reader.text("name") { DeviceName($0) },
            dispatcher: try reader.optionalText("dispatcher").map { DispatcherName(rawValue: $0) },
            destination: try reader.optionalText("destination") { PushDestination($0) },
            signatureKey: try reader.text("signature_key") { DeviceKey(stored: $0) },
            encryptionKey: try reader.optionalText("encryption_key") { DeviceKey(stored: $0) },
            createdAt: Timestamp(milliseconds: try reader.integer("created_at")))
    }

    static let insertion = """
        INSERT INTO dispatch_targets (
            id, external_id, user_id, device_id, name, dispatcher, destination, signature_key, signature_thumbprint,
            encryption_key, created_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
        """

    /// Changes what is named and leaves the rest.
    static let update = """
        UPDATE dispatch_targets
        SET name = COALESCE($1, name), destination = COALESCE($2, destination),
            dispatcher = COALESCE($3, dispatcher), encryption_key = COALESCE($4, encryption_key)
        WHERE id = $5
        """

    static func arguments(_ change: TargetChange, of id: DispatchTargetID) -> [SQLValue] {
        [
            .text(optional: change.name?.text), .text(optional: change.destination?.text),
            .text(optional: change.dispatcher?.rawValue), .text(optional: change.encryptionKey?.text),
            .blob(id.octets),
        ]
    }

    static func arguments(_ target: DispatchTarget) -> [SQLValue] {
        [
            .blob(target.id.octets), .blob(target.externalID.octets), .blob(target.userID.octets),
            .text(optional: target.deviceID?.text), .text(target.name.text),
            .text(optional: target.dispatcher?.rawValue), .text(optional: target.destination?.text),
            .text(target.signatureKey.text), .blob(target.signatureKey.thumbprint.octets),
            .text(optional: target.encryptionKey?.text), .integer(target.createdAt.milliseconds),
        ]
    }
}
