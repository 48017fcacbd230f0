import BackendAPI
import OpenID
import ServerCore
import WebAuthn

/// Passkeys, and their registrations that are under way.
extension SQLTransaction {
    func passkeys(of user: UserID) throws(ServerTransactionFailure) -> [Passkey] {
        try rows(PasskeyRow.selectionByUser + kept, [.blob(user.octets)], as: PasskeyRow.passkey)
    }

    func passkey(credential id: [UInt8]) throws(ServerTransactionFailure) -> Passkey? {
        try row(PasskeyRow.selectionByCredential + held, [.blob(id)], as: PasskeyRow.passkey)
    }

    func passkey(registeredAs id: RegistrationID) throws(ServerTransactionFailure) -> Passkey? {
        try row(PasskeyRow.selectionByID + held, [.blob(id.octets)], as: PasskeyRow.passkey)
    }

    func passkeyCount(of user: UserID) throws(ServerTransactionFailure) -> Int {
        try count("SELECT COUNT(*) FROM passkeys WHERE user_id = $1", [.blob(user.octets)], in: "passkeys")
    }

    func insert(_ passkey: Passkey) throws(ServerTransactionFailure) -> Bool {
        try execute(PasskeyRow.insertion, PasskeyRow.arguments(passkey)) == 1
    }

    func use(_ passkey: Passkey, from known: UInt32) throws(ServerTransactionFailure) -> Bool {
        let state = passkey.record.state
        return try execute(
            """
            UPDATE passkeys SET sign_counter = $1, is_backup_eligible = $2, is_backed_up = $3, used_at = $4
            WHERE registration_id = $5 AND sign_counter = $6
            """,
            [
                .integer(Int64(state.signCounter)), passkey.record.isBackupEligible.map(PasskeyRow.flag) ?? .null,
                PasskeyRow.flag(state.isBackedUp),
                .integer(optional: passkey.usedAt?.milliseconds), .blob(passkey.id.octets), .integer(Int64(known)),
            ]) == 1
    }

    func rename(
        _ id: RegistrationID, of user: UserID, to name: DeviceName
    ) throws(ServerTransactionFailure) -> Bool {
        try execute(
            "UPDATE passkeys SET name = $1 WHERE registration_id = $2 AND user_id = $3",
            [.text(name.text), .blob(id.octets), .blob(user.octets)]) == 1
    }

    func removePasskey(
        _ id: RegistrationID, of user: UserID, at now: Timestamp
    ) throws(ServerTransactionFailure) -> Bool {
        guard let passkey = try passkeys(of: user).first(where: { $0.id == id }) else { return false }
        try noteRemoval(of: passkey.assurance, by: user, at: now)
        let count = try execute(
            "DELETE FROM passkeys WHERE registration_id = $1 AND user_id = $2", [.blob(id.octets), .blob(user.octets)])
        if count > 0 { try endLoginsWithoutProof(of: user, at: now) }
        return count > 0
    }

    // MARK: - Offers

    func set(_ offer: PasskeyOffer) throws(ServerTransactionFailure) {
        try enqueue(PasskeyRow.offerSetting, PasskeyRow.arguments(offer))
    }

    func passkeyOffer(of user: UserID) throws(ServerTransactionFailure) -> PasskeyOffer? {
        try row(PasskeyRow.offerSelection + held, [.blob(user.octets)], as: PasskeyRow.offer)
    }

    func removePasskeyOffer(of user: UserID) throws(ServerTransactionFailure) -> Bool {
        try execute("DELETE FROM passkey_offers WHERE user_id = $1", [.blob(user.octets)]) == 1
    }
}
