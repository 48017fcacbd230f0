import HardwareKeys

/// Makes or opens a vault, on the thread that the vault will use.
actor VaultSetup {
    nonisolated let access: ChipAccess
    nonisolated let files: VaultFiles
    private nonisolated let thread = BlockingThread()

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(inDirectory directory: String, connection: TPMConnection, of fileSystem: any FileSystem) {
        files = VaultFiles(in: directory, of: fileSystem, registeredIn: connection.stateDirectory)
        access = ChipAccess(connection: connection, files: files, retry: .standard)
    }

    func create() throws(KeyVaultError) -> TPMKeyVault {
        try files.makeFolders()
        let record = try files.locked { () throws(KeyVaultError) in
            guard try files.vault() == nil else { throw .alreadyInitialized }
            return try access.withChip(under: nil) { call throws(KeyVaultError) in
                try VaultCreation(files: files, call: call).carryOut()
            }
        }
        return TPMKeyVault(record, setUp: self, thread: thread)
    }

    func open() throws(KeyVaultError) -> TPMKeyVault {
        let record = try files.vault()
        let isSettled = try files.journal() == nil
        guard record != nil || !isSettled else { throw .notInitialized }
        if isSettled {
            // Finds out whether the chip is there and the same.
            try access.withChip(under: record?.parentName) { (_: ChipCall) throws(KeyVaultError) in }
        } else {
            try settle()
        }
        guard let settled = if let record { record } else { try files.vault() } else { throw .notInitialized }
        files.registerMoved(settled)
        return TPMKeyVault(settled, setUp: self, thread: thread)
    }

    /// Finishes or undoes what a crash has interrupted; the lock of the vault comes before the chip's, as
    /// everywhere.
    private func settle() throws(KeyVaultError) {
        try files.locked { () throws(KeyVaultError) in
            let record = try files.vault()
            try access.withChip(under: record?.parentName) { call throws(KeyVaultError) in
                try IndexJournal(files: files, call: call).settle()
            }
        }
    }

    /// Removes the keys, their counters and the vault; the folders stay.
    func destroy() throws(KeyVaultError) {
        let record = try files.vault()
        let isSettled = try files.journal() == nil
        guard record != nil || !isSettled else { throw .notInitialized }
        try files.locked { () throws(KeyVaultError) in
            // Under any parent: the vault of a cleared chip can be removed as well.
            try access.withChip(under: nil) { call throws(KeyVaultError) in
                try VaultDestruction(files: files, call: call).carryOut()
            }
        }
    }
}

/// Makes a vault: asks the chip what it can do, then gives it a counter and a key.
struct VaultCreation {
    private static let numberAttempts = 8

    let files: VaultFiles
    let call: ChipCall

    private var journal: IndexJournal { IndexJournal(files: files, call: call) }

    func carryOut() throws(KeyVaultError) -> VaultRecord {
        try journal.settle()
        let countsAttempts = try chipCountsAttempts()
        for _ in 0..<Self.numberAttempts {
            let policy = Self.mark()
            let number = call.tag.number(for: policy)
            guard try call.mayTake(number) else { continue }
            let entry = JournalEntry(purpose: .vault, number: number, policy: policy)
            let record = try journal.writing(entry) { () throws(KeyVaultError) -> VaultRecord? in
                guard let counter = try CounterIndex.make(at: number, policy: policy, on: call) else { return nil }
                let record = VaultRecord(
                    name: .fresh(), parentName: call.parent.name, countsAttempts: countsAttempts, counter: counter,
                    deviceKey: try call.create(
                        KeyTemplate.messageAuthentication(markedWith: counter.mark), holding: .none))
                try files.write(record)
                return record
            }
            if let record { return record }
        }
        throw .hardwareBusy
    }

    /// Tries whether the chip has indices that count wrong secrets; old ones have not.
    private func chipCountsAttempts() throws(KeyVaultError) -> Bool {
        guard let value = AuthorizationValue(copying: FreshOctets.make(count: AuthorizationValue.byteLimit)) else {
            return false
        }
        let policy = Self.mark()
        let entry = JournalEntry(purpose: .vault, number: call.tag.number(for: policy), policy: policy)
        // Another program's index under that number says nothing about the chip: the next vault finds out.
        guard try call.mayTake(entry.number) else { throw .hardwareBusy }
        do {
            try journal.writing(entry) { () throws(KeyVaultError) in
                let owner = call.ownership
                _ = try call.chip.define(
                    .attempts, at: entry.number, policy: policy.octets, authorizedBy: value, as: owner)
                try call.chip.undefine(entry.number, withPolicy: policy.octets, as: owner)
            }
            files.unregister(entry)
            return true
        } catch .unsupportedRequirements {
            return false
        } catch {
            throw error
        }
    }

    /// A policy that cannot be met; it marks an index as ours.
    private static func mark() -> PolicyDigest {
        PolicyDigest(octets: FreshOctets.make(count: PolicyDigest.byteCount)) ?? PolicyDigest()
    }
}

/// Removes what a vault has in the chip and on the disk; its caller holds the lock of the vault.
///
/// A crash leaves a vault with fewer keys, or what the journal finishes when the vault is opened or destroyed next.
struct VaultDestruction {
    let files: VaultFiles
    let call: ChipCall

    private var journal: IndexJournal { IndexJournal(files: files, call: call) }

    func carryOut() throws(KeyVaultError) {
        try journal.settle()
        guard let record = try files.vault() else { throw .notInitialized }
        for reference in try files.references() { try remove(reference) }
        // The file goes first: with it, the entry would stand for a vault that was made to the end.
        try files.write(record.counter.removal)
        try files.removeVault()
        try journal.settle()
    }

    private func remove(_ reference: KeyReference) throws(KeyVaultError) {
        guard let entry = try files.removal(of: reference) else {
            try files.removeKey(reference)
            return
        }
        try files.write(entry)
        try journal.settle()
    }
}
