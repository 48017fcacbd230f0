import CTSS2
import HardwareKeys

/// What one piece of work has of the chip: the connection, the parent of the keys, and a session that hides secrets.
struct ChipVisit {
    let chip: Chip
    let parent: StorageParent
    let session: ESYS_TR
    let ownership: Ownership

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

    /// Starts a policy session for the length of `body`.
    func withPolicySession<Result>(
        _ body: (ESYS_TR) throws(KeyVaultError) -> Result
    ) throws(KeyVaultError) -> Result {
        let policy = try chip.startSession(.policy, saltedTo: parent.handle)
        defer { chip.flush(policy) }
        return try body(policy)
    }
}
