import CTSS2
import HardwareKeys

extension ChipCall {
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

extension ChipCall {
    /// Shows the secret of a key to the index that counts wrong ones, and lends the policy session that knows it.
    ///
    /// Throws `KeyVaultError.wrongSecret`, counted, `KeyVaultError.lockedOut`, and `KeyVaultError.unrecoverable`
    /// when the index is gone or was made anew.
    func withCountedSecret<Result>(
        _ value: AuthorizationValue, of index: AttemptIndex, _ body: (ESYS_TR) throws(KeyVaultError) -> Result
    ) throws(KeyVaultError) -> Result {
        try withIndex(index) { handle throws(KeyVaultError) in
            try withSecret(value, of: handle, body)
        }
    }

    /// Shows the authorisation value of an entity, and lends the policy session that knows it.
    func withSecret<Result>(
        _ value: AuthorizationValue, of entity: ESYS_TR, _ body: (ESYS_TR) throws(KeyVaultError) -> Result
    ) throws(KeyVaultError) -> Result {
        try withPolicySession { policy throws(KeyVaultError) in
            try chip.withAuthorization(value, of: entity) { () throws(KeyVaultError) in
                try chip.policySecret(of: entity, shownIn: session, in: policy)
            }
            return try body(policy)
        }
    }

    /// Count of wrong secrets in a row; reading it needs no secret, and works when the key is locked.
    func attempts(in index: AttemptIndex) throws(KeyVaultError) -> KeyAttempts {
        let owner = ESYS_TR(ESYS_TR_RH_OWNER)
        let content = try withIndex(index) { handle throws(KeyVaultError) in
            try chip.withAuthorization(ownership.value, of: owner) { () throws(KeyVaultError) in
                try chip.read(handle, as: owner, in: session, for: .ownership)
            }
        }
        // Count and limit, 32 bits each, most significant byte first (TPMS_NV_PIN_COUNTER_PARAMETERS).
        guard content[..<3].allSatisfy({ $0 == 0 }), content[4..<7].allSatisfy({ $0 == 0 }) else {
            throw .unrecoverable
        }
        return KeyAttempts(failures: content[3], limit: content[7])
    }

    /// Puts a key under a new secret, in one step of the chip or not at all.
    ///
    /// The old secret is shown twice: first on the way that counts and locks, which gives the key for the second.
    func changeCountedSecret(
        of index: AttemptIndex, from old: AuthorizationValue, to new: AuthorizationValue
    ) throws(KeyVaultError) {
        let changer = try withObject(index.changer) { object throws(KeyVaultError) in
            try withCountedSecret(old, of: index) { policy throws(KeyVaultError) in
                try PolicySigner(try chip.unseal(object, in: policy))
            }
        }
        try withIndex(index) { handle throws(KeyVaultError) in
            try withPolicySession { policy throws(KeyVaultError) in
                try chip.policySigned(by: changer, in: policy)
                try chip.policyCommand(TPM2_CC(TPM2_CC_NV_ChangeAuth), in: policy)
                try chip.policyAuthorizationValue(in: policy)
                try chip.policyAny(of: index.policy.branches, in: policy)
                try chip.withAuthorization(old, of: handle) { () throws(KeyVaultError) in
                    try chip.changeAuthorization(ofIndex: handle, to: new, in: policy)
                }
            }
        }
    }

    private func withIndex<Result>(
        _ index: AttemptIndex, _ body: (ESYS_TR) throws(KeyVaultError) -> Result
    ) throws(KeyVaultError) -> Result {
        let found = try chip.index(at: index.number, named: index.name)
        defer { chip.forget(found.handle) }
        return try body(found.handle)
    }
}
