/// One entry of a storage: its value stays sealed.
struct StoredEntry: Sendable {
    let kind: EntryKind
    let putGeneration: UInt64
    let sealed: SealedValue
}
