import HardwareKeys
import Octets

/// The files of a vault: `vault`, `journal`, two locks, and under `keys` one file per key, with a note of its index.
struct VaultFiles: Sendable {
    private let directory: String
    private let fileSystem: any FileSystem
    private let account: IndexRegister

    /// The files in a directory; what the vault takes of the chip is written down in a register in another one, if any.
    init(in directory: String, of fileSystem: any FileSystem, registeredIn stateDirectory: String? = nil) {
        self.directory = directory
        self.fileSystem = fileSystem
        account = IndexRegister(in: stateDirectory, of: fileSystem)
    }

    func makeFolders() throws(KeyVaultError) {
        try mapped { () throws(FileSystemError) in
            try fileSystem.makeDirectory(directory)
            try fileSystem.makeDirectory(directory + "/keys")
        }
    }

    /// Keeps other processes and tasks from changing the vault for the length of `body`.
    func locked<Result>(_ body: () throws(KeyVaultError) -> Result) throws(KeyVaultError) -> Result {
        try locked("lock", body)
    }

    /// Keeps other processes and tasks from the chip for the length of `body`; the holder of the other lock may take
    /// this one.
    func havingTurn<Result>(_ body: () throws(KeyVaultError) -> Result) throws(KeyVaultError) -> Result {
        try locked("turn", body)
    }

    private func locked<Result>(
        _ name: String, _ body: () throws(KeyVaultError) -> Result
    ) throws(KeyVaultError) -> Result {
        let lock = try mapped { () throws(FileSystemError) in try fileSystem.blockingLock(directory + "/" + name) }
        defer { lock.release() }
        return try body()
    }

    // MARK: - Vault

    func vault() throws(KeyVaultError) -> VaultRecord? {
        guard let octets = try read(vaultFile) else { return nil }
        return try VaultRecord(octets: octets)
    }

    func write(_ record: VaultRecord) throws(KeyVaultError) {
        try write(record.octets, to: vaultFile)
    }

    func removeVault() throws(KeyVaultError) { try remove(vaultFile) }

    // MARK: - Journal

    func journal() throws(KeyVaultError) -> JournalEntry? {
        guard let octets = try read(journalFile) else { return nil }
        return try JournalEntry(octets: octets)
    }

    func write(_ entry: JournalEntry) throws(KeyVaultError) {
        try write(entry.octets, to: journalFile)
    }

    func removeJournal() throws(KeyVaultError) { try remove(journalFile) }

    // MARK: - Keys

    func key(_ reference: KeyReference) throws(KeyVaultError) -> KeyRecord? {
        guard let octets = try read(keyFile(reference)) else { return nil }
        return try KeyRecord(octets: octets, of: reference)
    }

    /// Whether there is a file for a key, readable or not.
    func holds(_ reference: KeyReference) throws(KeyVaultError) -> Bool {
        try read(keyFile(reference)) != nil
    }

    func write(_ record: KeyRecord, named reference: KeyReference) throws(KeyVaultError) {
        try write(record.octets(of: reference), to: keyFile(reference))
    }

    /// The names of all keys that have a file or a note of their index, readable or not.
    func references() throws(KeyVaultError) -> Set<KeyReference> {
        let names = try mapped { () throws(FileSystemError) in try fileSystem.names(in: directory + "/keys") }
        return Set(
            names.compactMap { name in
                guard let suffix = [".key", ".index"].first(where: name.hasSuffix),
                    let bytes = try? Hex.decode(String(name.dropLast(suffix.count)))
                else { return nil }
                return KeyReference(bytes: bytes)
            })
    }

    func removeKey(_ reference: KeyReference) throws(KeyVaultError) {
        try remove(keyFile(reference))
        try removeNote(of: reference)
    }

    // MARK: - Indices

    /// Notes beside a key what has to be removed from the chip with it, should its own file become unreadable.
    func note(_ index: AttemptIndex, of reference: KeyReference) throws(KeyVaultError) {
        try write(Self.removal(of: reference, index).octets, to: noteFile(reference))
    }

    func removeNote(of reference: KeyReference) throws(KeyVaultError) {
        try remove(noteFile(reference))
    }

    /// Work left to do in the chip when a key is removed; nil when it has no index, or none that a record names.
    func removal(of reference: KeyReference) throws(KeyVaultError) -> JournalEntry? {
        if let key = try? key(reference) { return key.index.map { Self.removal(of: reference, $0) } }
        guard let note = try read(noteFile(reference)), let entry = try? JournalEntry(octets: note),
            entry.purpose == .deleting(reference)
        else { return nil }
        return entry
    }

    /// The indices that the vault needs; none where there is no vault.
    ///
    /// Throws `KeyVaultError.damaged` when its own file cannot be read.
    func neededIndices() throws(KeyVaultError) -> [JournalEntry] {
        var needed = [try journal()].compactMap(\.self)
        guard let vault = try vault() else { return needed }
        needed.append(vault.counter.removal)
        for reference in try references() {
            if let entry = try removal(of: reference) { needed.append(entry) }
        }
        return needed
    }

    // MARK: - Register of the account

    /// Writes an index down before the chip is told of it.
    func register(_ entry: JournalEntry) { account.note([entry], ofVaultIn: directory) }

    /// Writes the indices of a vault down that was moved, or copied, to where it is.
    func registerMoved(_ vault: VaultRecord) {
        guard !account.knows(vault.counter.removal, ofVaultIn: directory), let needed = try? neededIndices() else {
            return
        }
        account.note(needed, ofVaultIn: directory)
    }

    /// Strikes an index out that the chip has no more.
    func unregister(_ entry: JournalEntry) { account.forget(entry.number, withPolicy: entry.policy.octets) }

    private static func removal(of reference: KeyReference, _ index: AttemptIndex) -> JournalEntry {
        JournalEntry(purpose: .deleting(reference), number: index.number, policy: index.policy.digest)
    }

    // MARK: - Files

    private var vaultFile: AtomicFile { AtomicFile(named: "vault", in: directory, of: fileSystem) }
    private var journalFile: AtomicFile { AtomicFile(named: "journal", in: directory, of: fileSystem) }

    private func keyFile(_ reference: KeyReference) -> AtomicFile {
        AtomicFile(named: Hex.encode(reference.bytes) + ".key", in: directory + "/keys", of: fileSystem)
    }

    private func noteFile(_ reference: KeyReference) -> AtomicFile {
        AtomicFile(named: Hex.encode(reference.bytes) + ".index", in: directory + "/keys", of: fileSystem)
    }

    private func read(_ file: AtomicFile) throws(KeyVaultError) -> [UInt8]? {
        do {
            return try file.read(atMost: RecordEnvelope.byteLimit)
        } catch .absent {
            return nil
        } catch {
            throw KeyVaultError(error)
        }
    }

    private func write(_ octets: [UInt8], to file: AtomicFile) throws(KeyVaultError) {
        try mapped { () throws(FileSystemError) in try file.replace(with: octets) }
    }

    private func remove(_ file: AtomicFile) throws(KeyVaultError) {
        try mapped { () throws(FileSystemError) in try file.remove() }
    }

    private func mapped<Value>(_ work: () throws(FileSystemError) -> Value) throws(KeyVaultError) -> Value {
        do {
            return try work()
        } catch {
            throw KeyVaultError(error)
        }
    }
}
