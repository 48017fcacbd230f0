import HardwareKeys

/// Removes what a vault has in the chip and on the disk; whoever uses it holds the lock of the vault.
///
/// A crash leaves a vault with fewer keys, or what the journal finishes when the vault is opened or destroyed next.
struct VaultDestruction {
    let files: VaultFiles
    let visit: ChipVisit

    private var journal: IndexJournal { IndexJournal(files: files, visit: visit) }

    func carryOut() throws(KeyVaultError) {
        try journal.settle()
        guard let record = try files.vault() else { throw .notInitialized }
        for reference in try files.references() { try remove(reference) }
        // The file goes first: with it, the entry would stand for a vault that was made to the end.
        try files.write(JournalEntry(purpose: .vault, number: record.counter.number, policy: record.counter.policy))
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
