import CTSS2
import HardwareKeys

extension ChipVisit {
    /// Loads a key for one use, which the caller's authorisation has to allow; lends key and session.
    func withKey<Result>(
        _ record: KeyRecord, named reference: KeyReference, shown authorization: KeyAuthorization,
        _ use: (ESYS_TR, ESYS_TR) throws(KeyVaultError) -> Result
    ) throws(KeyVaultError) -> Result {
        let secret = try authorization.secret(for: record.requirements.authorization)
        return try withObject(record.blobs) { key throws(KeyVaultError) in
            guard let secret else { return try use(key, session) }
            let value = AuthorizationValue(from: secret, for: reference)
            guard let index = record.index else {
                return try chip.withAuthorization(value, of: key) { () throws(KeyVaultError) in
                    try use(key, session)
                }
            }
            return try withCountedSecret(value, of: index) { policy throws(KeyVaultError) in try use(key, policy) }
        }
    }

    /// Tries a secret without using the key.
    func verify(_ value: AuthorizationValue, of record: KeyRecord) throws(KeyVaultError) {
        if let index = record.index {
            try withCountedSecret(value, of: index) { _ in }
        } else {
            try withObject(record.blobs) { key throws(KeyVaultError) in try withSecret(value, of: key) { _ in } }
        }
    }
}

extension KeyAuthorization {
    /// The secret that a key asks for, nil for a key without one.
    ///
    /// Throws `KeyVaultError.wrongUse` when something else was shown, and `KeyVaultError.userPresence` when the
    /// user has not passed the gate.
    func secret(for required: KeyRequirements.Authorization) throws(KeyVaultError) -> VaultSecret? {
        switch (required, self) {
        case (.secret, .secret(let secret)), (.countedSecret, .secret(let secret)): return secret
        case (.open, .none): return nil
        case (.userPresence(let gate), _):
            try require(gate)
            return nil
        default: throw .wrongUse
        }
    }

    /// Lets only who has passed the gate; this program alone keeps it.
    func require(_ gate: UserGate) throws(KeyVaultError) {
        guard case .userPresence(let proof) = self, proof.gate == gate else { throw .userPresence(.mismatch) }
    }
}
