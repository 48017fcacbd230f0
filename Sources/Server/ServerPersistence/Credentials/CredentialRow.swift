import ServerCore
import UAF

/// Columns of `credentials`.
enum CredentialRow {
    static let columns = """
        registration_id, user_id, aaid, key_id, algorithm, public_key_format, public_key, sign_counter,
        registration_counter, authenticator_version, status, registered_at, last_success_at, dispatch_target_id,
        protection, not_before
        """

    /// The columns, prefixed with the name of the table, for queries with several tables.
    static let qualifiedColumns = columns.split(whereSeparator: { ", \n".contains($0) })
        .map { "credentials.\($0)" }.joined(separator: ", ")

    /// Finds the credentials of a user, oldest first.
    static let selectionByUser =
        "SELECT \(columns) FROM credentials WHERE user_id = $1 ORDER BY registered_at, registration_id"

    /// Finds a user by name or external id, with a row for each credential, oldest first, or one without; for an
    /// unknown name, some user who has a credential.
    static let holderByAliasOrSubstitute = """
        SELECT \(UserRow.columns), \(qualifiedColumns)
        FROM users LEFT JOIN credentials ON credentials.user_id = users.id
        WHERE users.id = COALESCE(
            (SELECT user_id FROM user_aliases WHERE alias = $1), (SELECT user_id FROM credentials LIMIT 1))
        ORDER BY credentials.registered_at, credentials.registration_id
        """

    /// The user with all credentials in the rows of ``holderByAliasOrSubstitute``.
    static func holder(rows: [SQLRow]) throws(ServerPersistenceError) -> CredentialHolder? {
        guard let first = rows.first else { return nil }
        var credentials: [RegisteredCredential] = []
        for row in rows {
            var reader = RowReader(row, table: "credentials")
            reader.skip(UserRow.columnCount)
            if !reader.isNull { credentials.append(try credential(&reader)) }
        }
        return CredentialHolder(user: try UserRow.user(first), credentials: credentials)
    }

    /// The user that the first of two queries has found, with the credentials that the second has.
    static func holder(_ results: [[SQLRow]]) throws(ServerPersistenceError) -> CredentialHolder? {
        guard results.count == 2, let user = results[0].first else { return nil }
        return CredentialHolder(
            user: try UserRow.user(user),
            credentials: try results[1].map { row throws(ServerPersistenceError) in try credential(row) })
    }

    /// Finds the credentials that a dispatch target holds, oldest first.
    static let selectionByTarget =
        "SELECT \(columns) FROM credentials WHERE dispatch_target_id = $1 ORDER BY registered_at, registration_id"

    /// Finds the credentials of a user that no dispatch target holds, oldest first.
    static let selectionUnassigned =
        "SELECT \(columns) FROM credentials WHERE user_id = $1 AND dispatch_target_id IS NULL "
        + "ORDER BY registered_at, registration_id"

    static let selectionByID = "SELECT \(columns) FROM credentials WHERE aaid = $1 AND key_id = $2"

    static let selectionByRegistration = "SELECT \(columns) FROM credentials WHERE registration_id = $1"

    static let selectionByKey = "SELECT \(columns) FROM credentials WHERE key_id = $1 ORDER BY aaid"

    static func credential(_ row: SQLRow) throws(ServerPersistenceError) -> RegisteredCredential {
        var reader = RowReader(row, table: "credentials")
        return try credential(&reader)
    }

    static func credential(_ reader: inout RowReader) throws(ServerPersistenceError) -> RegisteredCredential {
        RegisteredCredential(
            registrationID: try reader.blob("registration_id") { RegistrationID($0) },
            userID: try reader.blob("user_id") { UserID($0) },
            id: try credentialID(&reader),
            algorithm: AuthenticationAlgorithm(rawValue: try reader.integer("algorithm") { UInt16(exactly: $0) }),
            publicKey: try publicKey(&reader),
            counters: try counters(&reader),
            authenticatorVersion: try reader.integer("authenticator_version") { UInt16(exactly: $0) },
            status: try reader.text("status") { RegisteredCredential.Status(rawValue: $0) },
            registeredAt: Timestamp(milliseconds: try reader.integer("registered_at")),
            lastSuccessAt: try reader.optionalInteger("last_success_at").map { Timestamp(milliseconds: $0) },
            targetID: try reader.optionalBlob("dispatch_target_id") { DispatchTargetID($0) },
            protection: try reader.text("protection") { RegisteredCredential.Protection(rawValue: $0) },
            notBefore: Timestamp(milliseconds: try reader.integer("not_before")))
    }

    /// Adds a credential, unless its model and key are there.
    static let insertion = """
        INSERT INTO credentials (\(columns))
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
        ON CONFLICT DO NOTHING
        """

    static func arguments(_ verified: VerifiedCredential) -> [SQLValue] {
        let credential = verified.credential
        return [
            .blob(credential.registrationID.octets), .blob(credential.userID.octets),
            .text(credential.id.aaid.text), .blob(credential.id.keyID.octets),
            .integer(Int64(credential.algorithm.rawValue)), .integer(Int64(credential.publicKey.format.rawValue)),
            .blob(credential.publicKey.octets), .integer(Int64(credential.counters.signatures)),
            .integer(Int64(credential.counters.registrations)), .integer(Int64(credential.authenticatorVersion)),
            .text(credential.status.rawValue), .integer(credential.registeredAt.milliseconds),
            .integer(optional: credential.lastSuccessAt?.milliseconds),
            .blob(optional: credential.targetID?.octets), .text(credential.protection.rawValue),
            .integer(credential.notBefore.milliseconds),
        ]
    }

    /// Switches a credential off for good as far as it was used: no login of before holds again with it.
    ///
    /// The time passes every login by the key, also where the clock of another process is ahead, or the end of all logins before.
    static let disabling = """
        UPDATE credentials SET status = 'disabled', not_before = 1 + (
            SELECT MAX(ends.at) FROM (
                SELECT CAST($1 AS BIGINT) AS at UNION ALL SELECT credentials.not_before
                UNION ALL SELECT credentials.last_success_at
                UNION ALL SELECT users.not_before FROM users WHERE users.id = credentials.user_id
            ) AS ends)
        WHERE aaid = $2 AND key_id = $3 AND user_id = $4
        """

    static let enabling =
        "UPDATE credentials SET status = 'active' WHERE aaid = $1 AND key_id = $2 AND user_id = $3"

    /// Moves the counter of a credential, if credential and owner are active, the counter grows or neither counts, and
    /// no login of the time was ended.
    static func use(_ dialect: SQLDialect) -> String {
        """
        UPDATE credentials
        SET sign_counter = $1, last_success_at = $2, success_count = success_count + 1
        WHERE registration_id = $3 AND status = 'active' AND (sign_counter < $1 OR (sign_counter = 0 AND $1 = 0))
            AND not_before <= $4 AND EXISTS (
                SELECT 1 FROM users
                WHERE users.id = credentials.user_id AND users.status = 'active' AND users.not_before <= $4\(dialect.rowGuard()))
        """
    }

    /// Arguments of ``use(_:)``.
    static func use(
        of id: RegistrationID, counter: UInt32, at now: Timestamp, loggedInAt loginTime: Timestamp
    ) -> [SQLValue] {
        [
            .integer(Int64(counter)), .integer(now.milliseconds), .blob(id.octets), .integer(loginTime.milliseconds),
        ]
    }

    private static func credentialID(_ reader: inout RowReader) throws(ServerPersistenceError) -> CredentialID {
        let aaid = try reader.text("aaid") { AAID($0) }
        return CredentialID(aaid: aaid, keyID: try reader.blob("key_id") { KeyID($0) })
    }

    private static func publicKey(_ reader: inout RowReader) throws(ServerPersistenceError) -> EncodedPublicKey {
        let format = PublicKeyFormat(rawValue: try reader.integer("public_key_format") { UInt16(exactly: $0) })
        return EncodedPublicKey(format: format, octets: try reader.blob("public_key"))
    }

    private static func counters(_ reader: inout RowReader) throws(ServerPersistenceError) -> Counters {
        let signatures = try reader.integer("sign_counter") { UInt32(exactly: $0) }
        return Counters(
            signatures: signatures, registrations: try reader.integer("registration_counter") { UInt32(exactly: $0) })
    }
}
