import BackendAPI
import OpenID
import ServerCore
import WebAuthn

/// Columns of `passkeys` and `passkey_offers`.
enum PasskeyRow {
    private static let columns = """
        registration_id, credential_id, user_id, name, public_key, transports, model, attestation, is_backup_eligible,
        is_backed_up, was_user_verified, sign_counter, registered_at, used_at, user_handle
        """

    static let selectionByUser =
        "SELECT \(columns) FROM passkeys WHERE user_id = $1 ORDER BY registered_at, registration_id"

    static let selectionByCredential = "SELECT \(columns) FROM passkeys WHERE credential_id = $1"

    static let selectionByID = "SELECT \(columns) FROM passkeys WHERE registration_id = $1"

    static let insertion = """
        INSERT INTO passkeys (\(columns)) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
        ON CONFLICT (credential_id) DO NOTHING
        """

    static func arguments(_ passkey: Passkey) -> [SQLValue] {
        let record = passkey.record
        return [
            .blob(passkey.id.octets), .blob(record.descriptor.id), .blob(passkey.userID.octets),
            .text(passkey.name.text), .blob(record.key.octets),
            .text(PasskeyTransports(record.descriptor.transports).text), .blob(record.model.octets),
            .text(passkey.attestation.rawValue), record.isBackupEligible.map(flag) ?? .null,
            flag(record.state.isBackedUp),
            flag(record.wasUserVerified), .integer(Int64(record.state.signCounter)),
            .integer(passkey.registeredAt.milliseconds), .integer(optional: passkey.usedAt?.milliseconds),
            record.user == passkey.userID.octets ? .null : .blob(record.user),
        ]
    }

    static func flag(_ isSet: Bool) -> SQLValue { .integer(isSet ? 1 : 0) }

    static func passkey(_ row: SQLRow) throws(ServerPersistenceError) -> Passkey {
        var reader = RowReader(row, table: "passkeys")
        let id = try reader.blob("registration_id") { RegistrationID($0) }
        let credential = try reader.blob("credential_id")
        let user = try reader.blob("user_id") { UserID($0) }
        let name = try reader.text("name") { DeviceName($0) }
        let key = try reader.blob("public_key") { try? CredentialKey(octets: $0) }
        let transports = try reader.text("transports") { PasskeyTransports(stored: $0) }
        let model = try reader.blob("model") { AAGUID(octets: $0) }
        let attestation = try reader.text("attestation") { VerifiedPasskey.Attestation(rawValue: $0) }
        let isBackupEligible = reader.isNull ? nil : try reader.flag("is_backup_eligible")
        if isBackupEligible == nil { reader.skip(1) }
        let isBackedUp = try reader.flag("is_backed_up")
        let wasUserVerified = try reader.flag("was_user_verified")
        let counter = try reader.integer("sign_counter") { UInt32(exactly: $0) }
        let registeredAt = Timestamp(milliseconds: try reader.integer("registered_at"))
        let usedAt = try reader.optionalInteger("used_at").map { Timestamp(milliseconds: $0) }
        let record = PasskeyRecord(
            descriptor: CredentialDescriptor(id: credential, transports: transports.names),
            user: try reader.optionalBlob("user_handle") ?? user.octets, key: key, model: model,
            isBackupEligible: isBackupEligible, wasUserVerified: wasUserVerified,
            state: PasskeyRecord.State(signCounter: counter, isBackedUp: isBackedUp))
        return Passkey(
            id: id, userID: user, record: record, attestation: attestation, name: name,
            registeredAt: registeredAt, usedAt: usedAt)
    }

    // MARK: - Offers

    static let offerSelection = """
        SELECT user_id, session_id, challenge, expires_at FROM passkey_offers
        WHERE user_id = $1 AND \(GivenOut.isOfGeneration("passkey_offers"))
        """

    static let offerSetting = """
        INSERT INTO passkey_offers (user_id, session_id, challenge, expires_at, generation)
        VALUES ($1, $2, $3, $4, \(GivenOut.generation))
        ON CONFLICT (user_id) DO UPDATE SET session_id = $2, challenge = $3, expires_at = $4,
            generation = \(GivenOut.generation)
        """

    static func arguments(_ offer: PasskeyOffer) -> [SQLValue] {
        [
            .blob(offer.userID.octets), .blob(offer.session.octets), .blob(offer.challenge),
            .integer(offer.expiresAt.milliseconds),
        ]
    }

    static func offer(_ row: SQLRow) throws(ServerPersistenceError) -> PasskeyOffer {
        var reader = RowReader(row, table: "passkey_offers")
        return PasskeyOffer(
            userID: try reader.blob("user_id") { UserID($0) },
            session: try reader.blob("session_id") { BrowserSessionID($0) },
            challenge: try reader.blob("challenge"),
            expiresAt: Timestamp(milliseconds: try reader.integer("expires_at")))
    }
}

extension RowReader {
    fileprivate mutating func flag(_ column: String) throws(ServerPersistenceError) -> Bool {
        try integer(column) { [0: false, 1: true][$0] }
    }
}
