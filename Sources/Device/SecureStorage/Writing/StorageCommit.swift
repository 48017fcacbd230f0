/// What one commit changes beside making the volatile layer permanent.
struct StorageCommit {
    /// Whether the newest state on the disk is taken first.
    var isRebasing = false
    /// New keys; nil leaves the old ones.
    var envelope: KeyEnvelope?
    /// What opens the storage from then on; nil leaves it.
    var credentials: StorageCredentials?
}
