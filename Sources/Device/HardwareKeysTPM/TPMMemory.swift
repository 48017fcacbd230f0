import CTSS2
public import HardwareKeys

/// NV memory of a TPM 2.0 chip: the owners of its indices, and the removal of those that nothing needs any more.
///
/// A vault whose files were removed leaves its indices in the chip, which has room for some two dozen.
///
/// ```swift
/// let memory = TPMMemory(connection)
/// for index in try await memory.indices(ofVaultsIn: [directory]) where index.owner == .orphan {
///     try await memory.reclaim(index.number, besides: [directory])
/// }
/// let free = try await memory.freeCounters()
/// ```
public actor TPMMemory {
    /// The thread that waits for the chip.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    private nonisolated let thread = BlockingThread()
    private let access: ChipAccess
    /// TPM_PT_NV_COUNTERS_AVAIL.
    private static let countersAvailable: TPM2_PT = 0x20B

    /// The memory of the chip that a connection leads to; the chip is not asked yet.
    public init(_ connection: TPMConnection = .system) {
        access = ChipAccess(connection: connection, files: nil, retry: .standard)
    }

    /// Every index that the owner of the machine may give to applications, by number.
    ///
    /// `directories` belong to vaults that are still needed; one without a vault counts as empty. Throws
    /// `KeyVaultError.damaged` when a vault's own file cannot be read, because then its needs are unknown, and
    /// the cases for files and hardware.
    public func indices(ofVaultsIn directories: [String]) async throws(KeyVaultError) -> [TPMIndex] {
        let needed = try Self.needed(in: directories)
        return try access.withChip(under: nil) { call throws(KeyVaultError) in
            var indices: [TPMIndex] = []
            for number in try call.chip.takenIndexNumbers().sorted() {
                if let index = try Self.index(number, on: call, needed: needed) { indices.append(index) }
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

    /// Removes an index of this account that no vault in some directories knows.
    ///
    /// The count of the index, for a vault elsewhere or one of its keys, is lost. Throws `KeyVaultError.unknownKey`
    /// when there is no such index, `KeyVaultError.wrongUse` when it is not an orphan, and what
    /// ``indices(ofVaultsIn:)`` throws.
    public func reclaim(_ number: UInt32, besides directories: [String]) async throws(KeyVaultError) {
        let needed = try Self.needed(in: directories)
        try access.withChip(under: nil) { call throws(KeyVaultError) in
            guard Index.range.contains(number), let policy = try call.chip.policy(ofIndex: number),
                let index = try Self.index(number, on: call, needed: needed)
            else { throw .unknownKey }
            guard index.owner == .orphan else { throw .wrongUse }
            try call.chip.undefine(number, withPolicy: policy, as: call.ownership)
        }
    }

    /// The numbers that vaults need, each with the directory of its vault.
    private static func needed(in directories: [String]) throws(KeyVaultError) -> [UInt32: String] {
        var needed: [UInt32: String] = [:]
        for directory in directories {
            for number in try VaultFiles(in: directory, of: PosixFileSystem()).neededIndices() {
                needed[number] = directory
            }
        }
        return needed
    }

    private static func index(
        _ number: UInt32, on call: ChipCall, needed: [UInt32: String]
    ) throws(KeyVaultError) -> TPMIndex? {
        guard let index = try call.chip.index(at: number) else { return nil }
        call.chip.forget(index.handle)
        guard let kind = index.kind else { return TPMIndex(number: number, kind: .other, owner: .other) }
        let owner: TPMIndex.Owner =
            if let directory = needed[number] {
                .vault(directory)
            } else if call.tag.marks(number, withPolicy: index.policy) {
                .orphan
            } else {
                .other
            }
        return TPMIndex(number: number, kind: kind == .counter ? .changes : .wrongSecrets, owner: owner)
    }
}
