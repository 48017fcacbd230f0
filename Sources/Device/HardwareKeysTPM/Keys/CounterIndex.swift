import CTSS2
import HardwareKeys

/// The counter of a vault in the chip's memory.
struct CounterIndex {
    let record: VaultRecord.Counter

    func value(on visit: ChipVisit) throws(KeyVaultError) -> UInt64 {
        try use(on: visit) { handle throws(KeyVaultError) in try Self.read(handle, on: visit) }
    }

    /// Adds one and reads what it gave.
    func advance(on visit: ChipVisit) throws(KeyVaultError) -> UInt64 {
        try use(on: visit) { handle throws(KeyVaultError) in
            try visit.chip.increment(handle, in: visit.session)
            return try Self.read(handle, on: visit)
        }
    }

    /// Makes a counter at a number and counts once, because a counter that never counted has no value; nil when the
    /// number is taken.
    static func make(
        at number: UInt32, policy: PolicyDigest, on visit: ChipVisit
    ) throws(KeyVaultError) -> VaultRecord.Counter? {
        var bytes = FreshOctets.make(count: AuthorizationValue.byteLimit)
        bytes[bytes.count - 1] |= 1
        guard let value = AuthorizationValue(copying: bytes) else { return nil }
        let isMade = try visit.chip.define(
            .counter, at: number, policy: policy.octets, authorizedBy: value, as: visit.ownership)
        guard isMade, let index = try visit.chip.index(at: number) else { return nil }
        do {
            defer { visit.chip.forget(index.handle) }
            try visit.chip.withAuthorization(value, of: index.handle) { () throws(KeyVaultError) in
                try visit.chip.increment(index.handle, in: visit.session)
            }
        }
        guard let counting = try visit.chip.index(at: number) else { throw .unrecoverable }
        defer { visit.chip.forget(counting.handle) }
        return VaultRecord.Counter(number: number, name: counting.name, policy: policy, value: bytes)
    }

    private func use<Result>(
        on visit: ChipVisit, _ body: (ESYS_TR) throws(KeyVaultError) -> Result
    ) throws(KeyVaultError) -> Result {
        let index = try visit.chip.index(at: record.number, named: record.name)
        defer { visit.chip.forget(index.handle) }
        return try visit.chip.withAuthorization(AuthorizationValue(copying: record.value), of: index.handle) {
            () throws(KeyVaultError) in try body(index.handle)
        }
    }

    private static func read(_ handle: ESYS_TR, on visit: ChipVisit) throws(KeyVaultError) -> UInt64 {
        try visit.chip.read(handle, as: handle, in: visit.session, for: .index).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
