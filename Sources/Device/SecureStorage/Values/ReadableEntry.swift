import Octets

/// An entry with everything that opens it, taken out of the volatile layer so that no caller waits while it is opened.
struct ReadableEntry {
    let entry: StoredEntry
    let name: EntryName
    let keys: StoreKeys

    private var damage: SecureStorageError { .entryDamaged(name: name.text) }

    private var context: ValueContext {
        ValueContext(putGeneration: entry.putGeneration, kind: entry.kind, name: name)
    }

    /// Opens the value, lends it for the length of `body` and wipes it.
    ///
    /// Throws ``SecureStorage/SecureStorageError/entryDamaged(name:)``.
    func opened<Result>(_ body: (UnsafeRawBufferPointer) -> Result) throws(SecureStorageError) -> Result {
        let result = entry.sealed.opened(using: keys.value) { opened in context.value(of: opened).map(body) }
        guard let result, let result else { throw damage }
        return result
    }

    func string() throws(SecureStorageError) -> String {
        guard entry.kind == .string else { throw .incorrectGetter }
        let text = try opened { Self.text(of: $0) }
        guard let text else { throw damage }
        return text
    }

    /// Bytes in UTF-8 as text; nil when they are none.
    ///
    /// Most texts are ASCII, which needs no decoding; to see that costs less than to validate.
    private static func text(of bytes: UnsafeRawBufferPointer) -> String? {
        let wordCount = bytes.count / 8
        var high: UInt64 = 0
        for word in 0..<wordCount { high |= bytes.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self) }
        for index in wordCount * 8..<bytes.count { high |= UInt64(bytes[index]) }
        guard high & 0x8080_8080_8080_8080 == 0 else { return String(validUTF8: bytes) }
        return String(decoding: bytes, as: UTF8.self)
    }

    func bytes() throws(SecureStorageError) -> [UInt8] {
        guard entry.kind == .bytes else { throw .incorrectGetter }
        return try opened { [UInt8]($0) }
    }

    func value() throws(SecureStorageError) -> SecureStorage.StorageValue {
        switch entry.kind {
        case .string: .string(try string())
        case .bytes: .bytes(try bytes())
        }
    }

    func resealed(
        under keys: StoreKeys, nonces: StorageEnvironment
    ) throws(SecureStorageError) -> StoredEntry {
        let sealed = try opened { try? context.seal($0, using: keys.value, nonce: nonces.nonce()) }
        guard let sealed else { throw damage }
        return StoredEntry(
            kind: entry.kind, putGeneration: entry.putGeneration, sealed: sealed)
    }
}

extension BlockStore {
    /// The entry of a name with what opens it.
    ///
    /// Throws ``SecureStorage/SecureStorageError/unknownKey``, and what reading the file throws.
    func readable(_ name: EntryName, _ keys: StoreKeys) throws(SecureStorageError) -> ReadableEntry {
        guard let entry = try entry(name) else { throw .unknownKey }
        return ReadableEntry(entry: entry, name: name, keys: keys)
    }
}
