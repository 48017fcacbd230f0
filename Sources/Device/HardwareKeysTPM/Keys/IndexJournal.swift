import HardwareKeys

/// Makes and removes indices so that a crash leaves none behind: what is in the journal is finished or undone later.
///
/// Its user holds the lock of the vault.
struct IndexJournal {
    let files: VaultFiles
    let call: ChipCall

    /// Finishes or undoes what a crash has interrupted.
    func settle() throws(KeyVaultError) {
        guard let entry = try files.journal() else { return }
        if try !isComplete(entry) { try undo(entry) }
        try files.removeJournal()
    }

    /// Writes an entry down and does `work`; undoes at once when it throws.
    ///
    /// An entry that cannot be undone at once stays in the journal.
    func writing<Result>(
        _ entry: JournalEntry, _ work: () throws(KeyVaultError) -> Result
    ) throws(KeyVaultError) -> Result {
        files.register(entry)
        try files.write(entry)
        do {
            let result = try work()
            try files.removeJournal()
            return result
        } catch {
            try? settle()
            throw error
        }
    }

    private func isComplete(_ entry: JournalEntry) throws(KeyVaultError) -> Bool {
        switch entry.purpose {
        case .vault: try files.vault()?.counter.number == entry.number
        case .making(let reference): try files.key(reference)?.index?.number == entry.number
        case .deleting: false
        }
    }

    private func undo(_ entry: JournalEntry) throws(KeyVaultError) {
        switch entry.purpose {
        case .deleting(let reference): try files.removeKey(reference)
        case .making(let reference): try files.removeNote(of: reference)
        case .vault: break
        }
        try call.chip.undefine(entry.number, withPolicy: entry.policy.octets, as: call.ownership)
        files.unregister(entry)
    }
}
