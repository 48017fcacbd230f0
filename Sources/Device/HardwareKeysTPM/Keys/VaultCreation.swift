import HardwareKeys

/// Makes a vault: asks the chip what it can do, then gives it a counter and a key.
struct VaultCreation {
    private static let numberAttempts = 8

    let files: VaultFiles
    let visit: ChipVisit

    private var journal: IndexJournal { IndexJournal(files: files, visit: visit) }

    func carryOut() throws(KeyVaultError) -> VaultRecord {
        try journal.settle()
        let countsAttempts = try chipCountsAttempts()
        for _ in 0..<Self.numberAttempts {
            let policy = Self.mark()
            let number = visit.tag.number(for: policy)
            guard try visit.mayTake(number) else { continue }
            let entry = JournalEntry(purpose: .vault, number: number, policy: policy)
            let record = try journal.writing(entry) { () throws(KeyVaultError) -> VaultRecord? in
                guard let counter = try CounterIndex.make(at: number, policy: policy, on: visit) else { return nil }
                let record = VaultRecord(
                    name: .fresh(), parentName: visit.parent.name, countsAttempts: countsAttempts, counter: counter,
                    deviceKey: try visit.create(KeyTemplate.messageAuthentication(), holding: .none))
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
        let entry = JournalEntry(purpose: .vault, number: visit.tag.number(for: policy), policy: policy)
        // An index of somebody else under that number says nothing about the chip: the next vault finds out.
        guard try visit.mayTake(entry.number) else { throw .hardwareBusy }
        do {
            try journal.writing(entry) { () throws(KeyVaultError) in
                let owner = visit.ownership
                _ = try visit.chip.define(
                    .attempts, at: entry.number, policy: policy.octets, authorizedBy: value, as: owner)
                try visit.chip.undefine(entry.number, withPolicy: policy.octets, as: owner)
            }
            return true
        } catch .unsupportedRequirements {
            return false
        } catch {
            throw error
        }
    }

    /// A policy that nobody can meet; it marks an index as ours.
    private static func mark() -> PolicyDigest {
        PolicyDigest(octets: FreshOctets.make(count: PolicyDigest.byteCount)) ?? PolicyDigest()
    }
}
