/// How the root key of a storage is wrapped, with the keys that are made from it.
struct KeyEnvelope {
    /// Generation, anchor and counts are those of no file yet.
    let header: StoreFileHeader
    let wrap: WrapSection
    let keys: StoreKeys
}
