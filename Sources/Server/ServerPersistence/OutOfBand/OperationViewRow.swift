import ServerCore
import UAF

/// Rows of a ceremony with what belongs to it, in one statement: one row for each credential of its user, oldest first, or
/// one without.
enum OperationViewRow {
    static let selectionByID = selection(where: "operations.id = $1 AND \(OperationRow.isOfGeneration)")
    static let selectionByToken = selection(where: "operations.token_hash = $1 AND \(OperationRow.isOfGeneration)")
    static let selectionByPreviousToken = selection(where: "operations.previous_token_hash = $1")

    private static func selection(where condition: String) -> String {
        """
        SELECT \(OperationRow.columns), dispatch_targets.external_id, \(ReceiptRow.columns), \(UserRow.columns),
            \(CredentialRow.qualifiedColumns)
        FROM operations
        LEFT JOIN dispatch_targets ON dispatch_targets.id = operations.dispatch_target_id
        LEFT JOIN receipts ON receipts.ceremony_id = operations.id
        LEFT JOIN users ON users.id = operations.user_id
        LEFT JOIN credentials ON credentials.user_id = operations.user_id
        WHERE \(condition)
        ORDER BY credentials.registered_at, credentials.registration_id
        """
    }

    static func view(_ rows: [SQLRow]) throws(ServerPersistenceError) -> OperationView? {
        guard let first = rows.first else { return nil }
        var reader = RowReader(first, table: "operations")
        let operation = try OperationRow.operation(&reader)
        let target = try reader.optionalBlob("external_id") { TargetExternalID($0) }
        var receipt: StoredReceipt?
        if reader.isNull { reader.skip(ReceiptRow.columnCount) } else { receipt = try ReceiptRow.receipt(&reader) }
        var holder: CredentialHolder?
        if !reader.isNull {
            let user = try UserRow.user(&reader)
            holder = CredentialHolder(user: user, credentials: try credentials(rows))
        }
        return OperationView(operation: operation, holder: holder, targetExternalID: target, receipt: receipt)
    }

    private static func credentials(_ rows: [SQLRow]) throws(ServerPersistenceError) -> [RegisteredCredential] {
        var credentials: [RegisteredCredential] = []
        for row in rows {
            var reader = RowReader(row, table: "credentials")
            reader.skip(OperationRow.columnCount + 1 + ReceiptRow.columnCount + UserRow.columnCount)
            if !reader.isNull { credentials.append(try CredentialRow.credential(&reader)) }
        }
        return credentials
    }
}
