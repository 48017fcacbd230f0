import Crypto
import HardwareKeys

/// A storage in memory: the commit it started from, and the entries as they are now.
struct VolatileLayer: Sendable {
    /// Header of the commit that the layer started from; generation 0 when there was none yet.
    var header: StoreFileHeader
    var wrap: WrapSection
    var keys: StoreKeys
    /// HMAC of that commit's file; nil when there was none yet.
    var authenticator: [UInt8]?
    /// HMAC of a file that was written and could not be acknowledged; when it turns up, it is this layer's.
    var unacknowledged: [UInt8]?
    /// Protection statement of the vault that sealed the key.
    var vaultStatement: ProtectionStatement
    /// Keys of the ledger, once an anchored storage has read it.
    var ledgerKeys: KnownKeys?
    private(set) var entries: [EntryName: StoredEntry] = [:]
    /// The names as the last commit sorted them: a hint, because names may have come and gone since.
    var order: [EntryName] = []
    /// AEAD invocations under the root key.
    var invocations: UInt64
    /// Rises with every change.
    private(set) var revision: UInt64 = 0
    /// ``revision`` as it was written last.
    private(set) var writtenRevision: UInt64 = 0
    /// The moment after which values are not read any more; nil when there is none.
    var readableUntil: Duration?
    private(set) var sealedByteCount = 0

    init(header: StoreFileHeader, wrap: WrapSection, keys: StoreKeys, _ vaultStatement: ProtectionStatement) {
        self.vaultStatement = vaultStatement
        self.header = header
        self.wrap = wrap
        self.keys = keys
        invocations = header.invocations
    }

    /// Whether something was changed that no file has.
    var isDirty: Bool { revision != writtenRevision }

    /// The entries in the order of a file; they are sorted anew only when a name has come since the last commit.
    var sortedEntries: [(key: EntryName, value: StoredEntry)] {
        let known = order.compactMap { name in entries[name].map { (key: name, value: $0) } }
        return known.count == entries.count ? known : entries.sorted { $0.key < $1.key }
    }

    /// Makes room for entries.
    mutating func reserveCapacity(_ count: Int) {
        entries.reserveCapacity(count)
    }

    /// Takes an entry as it stands in a file.
    mutating func adopt(_ entry: StoredEntry, named name: EntryName) {
        replace(name, with: entry)
    }

    /// Leaves an entry out that was removed while the layer was written.
    mutating func drop(_ name: EntryName) {
        replace(name, with: nil)
    }

    /// Notes that everything as it is now lies in the file.
    mutating func markWritten() {
        writtenRevision = revision
    }

    /// Notes that there is something newer than what lies in the file.
    mutating func outdate(_ other: UInt64) {
        revision = max(revision, other) + 1
    }

    /// Seals a value under a name.
    mutating func put(
        _ plain: UnsafeRawBufferPointer, as kind: IndexedEntry.Kind, named name: EntryName, nonce: AES.GCM.Nonce,
        limits: SecureStorage.Limits
    ) throws(SecureStorageError) {
        guard plain.count <= limits.valueByteCount else { throw .valueInvalid }
        guard entries.count < limits.entryCount || entries[name] != nil else { throw .limitExceeded }
        let old = entries[name]?.sealed.byteCount ?? 0
        let new = plain.count + ValueContext.byteCount(for: name) + IndexedEntry.sealOverhead
        guard sealedByteCount - old + new <= limits.storageByteCount else { throw .limitExceeded }
        let context = ValueContext(putGeneration: header.generation + 1, kind: kind, name: name)
        let sealed = try context.seal(plain, using: keys.value, nonce: nonce)
        invocations += 1
        revision += 1
        replace(
            name,
            with: StoredEntry(
                kind: kind, putGeneration: context.putGeneration, revision: revision, sealed: sealed))
    }

    /// Removes an entry.
    mutating func remove(_ name: EntryName) throws(SecureStorageError) {
        guard entries[name] != nil else { throw .unknownKey }
        revision += 1
        replace(name, with: nil)
    }

    /// Removes all entries.
    mutating func clear() {
        revision += 1
        entries = [:]
        sealedByteCount = 0
    }

    /// The entry of a name with what opens it.
    func reading(_ name: EntryName, at now: @autoclosure () -> Duration) throws(SecureStorageError) -> ReadableEntry {
        if let readableUntil, now() >= readableUntil { throw .userPresenceFailed(.expired) }
        guard let entry = entries[name] else { throw .unknownKey }
        return ReadableEntry(entry: entry, name: name, keys: keys)
    }

    private mutating func replace(_ name: EntryName, with entry: StoredEntry?) {
        let old = entries.updateValue(entry, at: name)
        sealedByteCount += (entry?.sealed.byteCount ?? 0) - (old?.sealed.byteCount ?? 0)
    }
}

extension [EntryName: StoredEntry] {
    /// Sets or removes a value and gives the one before.
    fileprivate mutating func updateValue(_ entry: StoredEntry?, at name: EntryName) -> StoredEntry? {
        guard let entry else { return removeValue(forKey: name) }
        return updateValue(entry, forKey: name)
    }
}
