/// Wrapped root key of a storage, with the keys that are derived from it.
struct KeyEnvelope {
    /// Generation, anchor and counts belong to no file yet.
    let header: StoreFileHeader
    let wrap: WrapSection
    let keys: StoreKeys
}
