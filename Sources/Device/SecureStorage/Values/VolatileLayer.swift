import Crypto
import HardwareKeys

/// A storage in memory: the commit it started from, and the entries as they are now.
///
/// What changed since the base was written lies in memory; the base is read when an entry of it is asked for.
struct VolatileLayer: Sendable {
    /// Header of the commit that the layer started from; generation 0 when there was none yet.
    var header: StoreFileHeader
    var wrap: WrapSection
    var keys: StoreKeys
    /// HMAC of that commit; nil when there was none yet.
    var authenticator: [UInt8]?
    /// HMAC of a commit that was written and could not be acknowledged; when it turns up, it is this layer's.
    var unacknowledged: [UInt8]?
    /// First and last bytes of the commit's file; nil when it has to be looked at as a whole.
    var ends: FileEnds?
    /// Place of the next record; nil when the next commit has to write a new base.
    var position: LogPosition?
    /// Protection statement of the vault that sealed the key.
    var vaultStatement: ProtectionStatement
    /// Keys of the ledger, once an anchored storage has read it.
    var ledgerKeys: KnownKeys?
    /// The base below the changes; nil when there is none, or all of it was cleared.
    private(set) var base: BlockStore?
    /// Entries of the base that were read before, or written with it; those that were changed since have no meaning.
    private(set) var known: [EntryName: LayerChange] = [:]
    /// Every change since the base, written or not.
    private(set) var changes: [EntryName: LayerChange] = [:]
    /// Names of the changes that no file has.
    private(set) var unwritten: Set<EntryName> = []
    /// Bytes of the sealed values of ``unwritten``.
    private(set) var unwrittenByteCount = 0
    /// Whether everything was removed since the last commit.
    private(set) var isCleared = false
    private(set) var clearings: UInt64 = 0
    private(set) var entryCount = 0
    private(set) var sealedByteCount = 0
    /// AEAD invocations under the root key.
    var invocations: UInt64
    /// Rises with every change.
    private(set) var revision: UInt64 = 0
    private(set) var writtenRevision: UInt64 = 0
    /// The moment after which values are not read any more; nil when there is none.
    var readableUntil: Duration?

    init(header: StoreFileHeader, wrap: WrapSection, keys: StoreKeys, _ vaultStatement: ProtectionStatement) {
        self.vaultStatement = vaultStatement
        self.header = header
        self.wrap = wrap
        self.keys = keys
        invocations = header.invocations
    }

    var isDirty: Bool { revision != writtenRevision }

    // MARK: - Taking over

    mutating func adopt(_ base: BlockStore, entryCount: Int, sealedByteCount: Int) {
        self.base = base
        known = [:]
        self.entryCount = entryCount
        self.sealedByteCount = sealedByteCount
    }

    /// Takes a record of the log; the counts are those that it states.
    mutating func adopt(_ record: LogRecord, limits: SecureStorage.Limits) throws(SecureStorageError) {
        if record.header.flags.contains(.cleared) {
            base = nil
            known = [:]
            changes = [:]
        }
        for (name, entry) in try record.changes(limits: limits) {
            changes[name] = LayerChange(revision: 0, entry: entry)
        }
        entryCount = Int(record.header.entryCount)
        sealedByteCount = Int(record.header.valuesByteCount)
    }

    /// Counts anew what is there, after entries were given up that no commit has removed.
    mutating func recount() throws(SecureStorageError) {
        let names = try names()
        entryCount = names.count
        sealedByteCount = 0
        for name in names { sealedByteCount += try byteCount(of: name) ?? 0 }
    }

    /// Takes the entry that the layer has now with another value or under other keys; nil removes it.
    mutating func adopt(_ change: LayerChange, named name: EntryName, over old: Int?) {
        replace(name, with: change, over: old)
    }

    /// Starts over with entries that are all in memory, and no base below.
    mutating func restart(with entries: [EntryName: LayerChange]) {
        base = nil
        known = [:]
        changes = entries
        unwritten = []
        unwrittenByteCount = 0
        position = nil
    }

    mutating func markWritten() {
        writtenRevision = revision
        unwritten = []
        unwrittenByteCount = 0
        isCleared = false
    }

    mutating func markWritten(in base: BlockStore) {
        markWritten()
        self.base = base
        // What is not known is read again, so that the larger part may stay as it is.
        if changes.count >= known.count { known = changes } else { known.merge(changes) { $1 } }
        changes = [:]
    }

    /// Keeps what was read of a base, unless another one has taken its place meanwhile.
    mutating func keep(_ entry: ReadableEntry, of read: BlockStore) {
        guard base === read else { return }
        known[entry.name] = LayerChange(revision: 0, entry: entry.entry)
    }

    /// Keeps what another layer has read of the same base.
    mutating func keepEntries(of other: VolatileLayer) {
        guard let base, base === other.base else { return }
        known = other.known
    }

    /// Notes that there is something newer than what lies in the file.
    mutating func outdate(_ other: UInt64) { revision = max(revision, other) + 1 }

    // MARK: - Changing

    mutating func put(
        _ plain: UnsafeRawBufferPointer, as kind: EntryKind, named name: EntryName, nonce: AES.GCM.Nonce,
        limits: SecureStorage.Limits
    ) throws(SecureStorageError) {
        guard plain.count <= limits.valueByteCount else { throw .valueInvalid }
        let old = try byteCount(of: name)
        guard entryCount < limits.entryCount || old != nil else { throw .limitExceeded }
        let new = plain.count + ValueContext.byteCount(for: name) + SealedValue.overhead
        guard sealedByteCount - (old ?? 0) + new <= limits.storageByteCount else { throw .limitExceeded }
        let context = ValueContext(putGeneration: header.generation + 1, kind: kind, name: name)
        let sealed = try context.seal(plain, using: keys.value, nonce: nonce)
        invocations += 1
        revision += 1
        let entry = StoredEntry(kind: kind, putGeneration: context.putGeneration, sealed: sealed)
        replace(name, with: LayerChange(revision: revision, entry: entry), over: old)
    }

    mutating func remove(_ name: EntryName) throws(SecureStorageError) {
        guard let old = try byteCount(of: name) else { throw .unknownKey }
        revision += 1
        replace(name, with: LayerChange(revision: revision, entry: nil), over: old)
    }

    mutating func clear() {
        revision += 1
        clearings += 1
        isCleared = true
        base = nil
        known = [:]
        changes = [:]
        unwritten = []
        unwrittenByteCount = 0
        entryCount = 0
        sealedByteCount = 0
    }

    private mutating func replace(_ name: EntryName, with change: LayerChange, over old: Int?) {
        let previous = changes.updateValue(change, forKey: name)
        let isOverwritten = !unwritten.insert(name).inserted
        unwrittenByteCount +=
            change.sealedByteCount - (isOverwritten ? previous.map(\.sealedByteCount) ?? 0 : 0)
        entryCount += (change.entry == nil ? 0 : 1) - (old == nil ? 0 : 1)
        sealedByteCount += change.sealedByteCount - (old ?? 0)
    }
}
