/// One entry of the volatile layer: its value stays sealed.
struct StoredEntry: Sendable {
    let kind: IndexedEntry.Kind
    /// The commit that the value was put for.
    let putGeneration: UInt64
    /// Differs from the revision of every other value that this process has seen under the name.
    let revision: UInt64
    let sealed: SealedValue
}
