/// Entry that the base has not, or has no more, as the volatile layer knows it.
struct LayerChange: Sendable {
    /// Differs from the revision of every other change that this process has seen under the name.
    let revision: UInt64
    /// The entry; nil when it was removed.
    let entry: StoredEntry?

    var sealedByteCount: Int { entry?.sealed.byteCount ?? 0 }
}
