import CTSS2
import HardwareKeys

/// What one piece of work has of the chip: the connection, the parent of the keys, and a session that hides secrets.
struct ChipVisit {
    let chip: Chip
    let parent: StorageParent
    let session: ESYS_TR
    let ownership: Ownership
    /// The mark on what this account takes of the memory of the chip.
    let tag: OwnerTag
    /// How many indices this account may have.
    let quota: Int

    /// Loads an object for the length of `body`.
    func withObject<Result>(
        _ blobs: KeyBlobs, _ body: (ESYS_TR) throws(KeyVaultError) -> Result
    ) throws(KeyVaultError) -> Result {
        let object = try chip.load(blobs, under: parent.handle, in: session)
        defer { chip.flush(object) }
        return try body(object)
    }

    /// Makes an object under the parent.
    func create(_ template: TPM2B_PUBLIC, holding sensitive: Chip.Sensitive) throws(KeyVaultError) -> KeyBlobs {
        try chip.create(template, holding: sensitive, under: parent.handle, in: session)
    }

    /// Whether an index may be made under a number: it is free, and the account has not used up its quota.
    ///
    /// Throws `KeyVaultError.hardwareFull` for the quota.
    func mayTake(_ number: UInt32) throws(KeyVaultError) -> Bool {
        let taken = try chip.takenIndexNumbers()
        // Only whether it could be too many is worth asking the chip for each.
        if taken.count >= quota {
            var own = 0
            for number in taken {
                guard let policy = try chip.policy(ofIndex: number) else { continue }
                if tag.marks(number, withPolicy: policy) { own += 1 }
            }
            guard own < quota else { throw .hardwareFull }
        }
        return !taken.contains(number)
    }

    /// Starts a policy session for the length of `body`.
    func withPolicySession<Result>(
        _ body: (ESYS_TR) throws(KeyVaultError) -> Result
    ) throws(KeyVaultError) -> Result {
        let policy = try chip.startSession(.policy, saltedTo: parent.handle)
        defer { chip.flush(policy) }
        return try body(policy)
    }
}
