import CTSS2
public import HardwareKeys

/// NV memory of a TPM 2.0 chip: the owners of its indices, and the removal of those that nothing needs any more.
///
/// A vault whose files were removed leaves its indices in the chip, which has room for some two dozen. The directory
/// that each was made for stands in a register of the account, `$XDG_STATE_HOME/signet-tpm/indices` (`~/.local/state`
/// without the variable).
///
/// ```swift
/// let memory = TPMMemory(connection)
/// for index in try await memory.indices(ofVaultsIn: [directory]) where index.isOrphan {
///     try await memory.reclaim(index.number, besides: [directory])
/// }
/// let free = try await memory.freeCounters()
/// ```
public actor TPMMemory {
    /// The thread that waits for the chip.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    private nonisolated let thread = BlockingThread()
    private let access: ChipAccess
    private let register: IndexRegister
    /// TPM_PT_NV_COUNTERS_AVAIL.
    private static let countersAvailable: TPM2_PT = 0x20B

    /// The memory of the chip that a connection leads to; the chip is not asked yet.
    public init(_ connection: TPMConnection = .system) {
        access = ChipAccess(connection: connection, files: nil, retry: .standard)
        register = IndexRegister(in: connection.stateDirectory, of: PosixFileSystem())
    }

    /// Every index that the owner of the machine may give to applications, by number.
    ///
    /// `directories` belong to vaults that are still needed, besides those that the register names; one without a
    /// vault counts as empty. Throws `KeyVaultError.damaged` when the own file of a vault in them cannot be read,
    /// because then its needs are unknown, and the cases for files and hardware.
    public func indices(ofVaultsIn directories: [String]) async throws(KeyVaultError) -> [TPMIndex] {
        try access.withChip(under: nil) { call throws(KeyVaultError) in
            let numbers = try call.chip.takenIndexNumbers().sorted()
            // Not before the chip: what is in it stands in the register and the files of its vault already.
            let needs = try IndexNeeds(ofVaultsIn: directories, and: register)
            var indices: [TPMIndex] = []
            for number in numbers {
                if let index = try Self.index(number, on: call, needs) { indices.append(index) }
            }
            return indices
        }
    }

    /// Number of further counters that the chip reports to have room for; nil when it does not say.
    ///
    /// Throws the cases for hardware.
    public func freeCounters() async throws(KeyVaultError) -> Int? {
        try access.withChip(under: nil) { call throws(KeyVaultError) in
            try call.chip.property(Self.countersAvailable).map { Int($0) }
        }
    }

    /// Number of objects and sessions that other programs have left in the working memory of a chip without a resource
    /// manager; 0 with one, which flushes them by itself.
    ///
    /// A program that was killed leaves some, until the chip has no room for the next one. Throws the cases for hardware.
    public func leftoverCount() async throws(KeyVaultError) -> Int {
        guard access.connection.isDirect else { return 0 }
        return try access.connect().leftovers().count
    }

    /// Flushes what ``leftoverCount()`` counts; the call of a program that still uses one of them fails, and can be
    /// repeated.
    ///
    /// Throws the cases for hardware.
    public func flushLeftovers() async throws(KeyVaultError) {
        guard access.connection.isDirect else { return }
        let chip = try access.connect()
        for number in try chip.leftovers() { try chip.flush(leftover: number) }
    }

    /// Removes an index that no vault in some directories, and none that the register names, needs.
    ///
    /// An index that the register does not know is removed as well: what a vault elsewhere counts with it is lost, and
    /// its keys with it. Throws `KeyVaultError.unknownKey` when there is no such index, `KeyVaultError.wrongUse` when a
    /// vault needs it or others have made it, and what ``indices(ofVaultsIn:)`` throws.
    public func reclaim(_ number: UInt32, besides directories: [String]) async throws(KeyVaultError) {
        try access.withChip(under: nil) { call throws(KeyVaultError) in
            guard Index.range.contains(number), let policy = try call.chip.policy(ofIndex: number) else {
                throw .unknownKey
            }
            let needs = try IndexNeeds(ofVaultsIn: directories, and: register)
            guard let index = try Self.index(number, on: call, needs) else { throw .unknownKey }
            guard index.isOrphan || index.owner == .unregistered else { throw .wrongUse }
            try call.chip.undefine(number, withPolicy: policy, as: call.ownership)
            register.forget(number, withPolicy: policy)
        }
    }

    private static func index(
        _ number: UInt32, on call: ChipCall, _ needs: IndexNeeds
    ) throws(KeyVaultError) -> TPMIndex? {
        guard let index = try call.chip.index(at: number) else { return nil }
        call.chip.forget(index.handle)
        guard let kind = index.kind else { return TPMIndex(number: number, kind: .other, owner: .other) }
        return TPMIndex(
            number: number, kind: kind == .counter ? .changes : .wrongSecrets,
            owner: needs.owner(of: number, withPolicy: index.policy, call.tag))
    }
}
