import CTSS2
import HardwareKeys

extension ChipVisit {
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

    /// How often the secret was wrong in a row; needs no secret, and works when the key is locked.
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
