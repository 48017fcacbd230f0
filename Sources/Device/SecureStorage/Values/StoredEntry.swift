/// One entry of a storage: its value stays sealed.
struct StoredEntry: Sendable {
    let kind: EntryKind
    /// The commit that the value was put for.
    let putGeneration: UInt64
    let sealed: SealedValue
}
