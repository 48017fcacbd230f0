/// An entry with everything that opens it, taken out of the volatile layer so that nobody waits while it is opened.
struct ReadableEntry {
    let entry: StoredEntry
    let name: EntryName
    let storageID: [UInt8]
    let keys: StoreKeys

    /// Opens the value, lends it for the length of `body` and wipes it.
    ///
    /// Throws ``SecureStorage/SecureStorageError/storageCorrupted`` when memory was changed by somebody else.
    func opened<Result>(_ body: (UnsafeRawBufferPointer) -> Result) throws(SecureStorageError) -> Result {
        let context = ValueContext(
            storageID: storageID, putGeneration: entry.putGeneration, kind: entry.kind, name: name)
        let result = context.withUnsafeBytes { context in
            entry.sealed.opened(using: keys.value, authenticating: context, body)
        }
        guard let result else { throw .storageCorrupted }
        return result
    }

    /// The value as text.
    func string() throws(SecureStorageError) -> String {
        guard entry.kind == .string else { throw .incorrectGetter }
        let text = try opened { String(validating: $0, as: UTF8.self) }
        guard let text else { throw .storageCorrupted }
        return text
    }

    /// The value as bytes.
    func bytes() throws(SecureStorageError) -> [UInt8] {
        guard entry.kind == .bytes else { throw .incorrectGetter }
        return try opened { [UInt8]($0) }
    }

    /// The value as it was put.
    func value() throws(SecureStorageError) -> SecureStorage.StorageValue {
        switch entry.kind {
        case .string: .string(try string())
        case .bytes: .bytes(try bytes())
        }
    }

    /// The same value under another root key.
    func resealed(
        under keys: StoreKeys, nonces: StorageEnvironment
    ) throws(SecureStorageError) -> StoredEntry {
        let context = ValueContext(
            storageID: storageID, putGeneration: entry.putGeneration, kind: entry.kind, name: name)
        let sealed = try opened { plain in
            context.withUnsafeBytes { context in
                try? SealedValue(plain, using: keys.value, nonce: nonces.nonce(), authenticating: context)
            }
        }
        guard let sealed else { throw .storageCorrupted }
        return StoredEntry(
            kind: entry.kind, putGeneration: entry.putGeneration, revision: entry.revision, sealed: sealed)
    }
}
