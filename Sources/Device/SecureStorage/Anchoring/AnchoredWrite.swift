import HardwareKeys

/// Exclusive access to one anchored storage: the ledger's lock and its page.
struct AnchoredWrite {
    private let ledger: RollbackLedger
    private let lock: FileLock
    private let name: EntryName
    private let environment: StorageEnvironment
    private var page: LedgerPage

    /// Takes the lock and reads the ledger.
    init(
        _ ledger: RollbackLedger, for name: EntryName, _ environment: StorageEnvironment
    ) async throws(SecureStorageError) {
        let lock = try await ledger.lock()
        do {
            page = try await ledger.page()
        } catch {
            lock.release()
            throw error
        }
        self.ledger = ledger
        self.lock = lock
        self.name = name
        self.environment = environment
    }

    /// Counter value after the next commit of the storage.
    var nextCount: UInt64 { page.count + 1 }

    /// Keys that open the ledger the next time without the vault.
    var ledgerKeys: KnownKeys { KnownKeys(of: page.layer) }

    /// Releases the lock.
    func end() { lock.release() }

    /// Demands that what was opened is the last commit, and notes one that a crash kept from being noted.
    ///
    /// A file that the ledger does not know is taken into it when `isAdopting` allows that.
    mutating func require(_ layer: VolatileLayer, isAdopting: Bool) async throws(SecureStorageError) {
        guard try page.isAhead(layer, named: name, isAdopting: isAdopting) else { return }
        try await note(layer)
    }

    /// Announces a storage that the ledger does not know, before its file is written.
    ///
    /// Without it a file of generation 1 could be a new one whose commit was cut off, or an old one of a storage that
    /// was deleted.
    mutating func announce(_ layer: VolatileLayer) async throws(SecureStorageError) {
        guard try page.entry(of: name)?.storageID != layer.header.storageID else { return }
        try await note(layer)
    }

    /// Notes a commit whose file is on the disk.
    mutating func note(_ layer: VolatileLayer) async throws(SecureStorageError) {
        try page.note(LedgerEntry(layer), of: name, environment)
        try await ledger.commit(&page)
    }
}
