import DeviceAttestation
import ServerCore

/// Keys of App Attest, and the applications that hold credentials.
extension SQLTransaction {
    func appAttestKey(_ id: AppAttestKeyID) throws(ServerTransactionFailure) -> AppAttestKey? {
        try row(AppAttestKeyRow.selection, [.blob(id.octets)], as: AppAttestKeyRow.key)
    }

    func insert(_ key: AppAttestKey, at time: Timestamp) throws(ServerTransactionFailure) -> Bool {
        try execute(AppAttestKeyRow.insertion, AppAttestKeyRow.arguments(key, at: time)) == 1
    }

    func raiseCounter(
        of id: AppAttestKeyID, to counter: UInt32, at time: Timestamp
    ) throws(ServerTransactionFailure) -> Bool {
        try execute(
            AppAttestKeyRow.use, [.integer(Int64(counter)), .integer(time.milliseconds), .blob(id.octets)]) == 1
    }

    func forgetAppAttestKeys(unusedSince time: Timestamp, limit: Int) throws(ServerTransactionFailure) -> Int {
        try passed { () throws(ServerPersistenceError) in
            try OldestRows(table: "app_attest_keys", column: "used_at").delete(before: time, limit: limit, connection)
        }
    }

    // MARK: - Credentials

    func attestation(of credential: RegistrationID) throws(ServerTransactionFailure) -> CredentialAttestation? {
        try row(
            AttestedCredentialRow.selection, [.blob(credential.octets)], as: AttestedCredentialRow.attestation)
    }

    func set(
        _ attestation: CredentialAttestation, of credential: RegistrationID
    ) throws(ServerTransactionFailure) {
        try execute(AttestedCredentialRow.setting, AttestedCredentialRow.arguments(attestation, of: credential))
    }
}
