import CTSS2
import HardwareKeys

/// The counter of a vault in the chip's memory.
struct CounterIndex {
    let record: VaultRecord.Counter

    func value(on call: ChipCall) throws(KeyVaultError) -> UInt64 {
        try use(on: call) { handle throws(KeyVaultError) in try Self.read(handle, on: call) }
    }

    /// Adds one and reads what it gave.
    func advance(on call: ChipCall) throws(KeyVaultError) -> UInt64 {
        try use(on: call) { handle throws(KeyVaultError) in
            try call.chip.increment(handle, in: call.session)
            return try Self.read(handle, on: call)
        }
    }

    /// Makes a counter at a number and counts once, because a counter that never counted has no value; nil when the
    /// number is taken.
    static func make(
        at number: UInt32, policy: PolicyDigest, on call: ChipCall
    ) throws(KeyVaultError) -> VaultRecord.Counter? {
        var bytes = FreshOctets.make(count: AuthorizationValue.byteLimit)
        bytes[bytes.count - 1] |= 1
        guard let value = AuthorizationValue(copying: bytes) else { return nil }
        let isMade = try call.chip.define(
            .counter, at: number, policy: policy.octets, authorizedBy: value, as: call.ownership)
        guard isMade, let index = try call.chip.index(at: number) else { return nil }
        do {
            defer { call.chip.forget(index.handle) }
            try call.chip.withAuthorization(value, of: index.handle) { () throws(KeyVaultError) in
                try call.chip.increment(index.handle, in: call.session)
            }
        }
        guard let counting = try call.chip.index(at: number) else { throw .unrecoverable }
        defer { call.chip.forget(counting.handle) }
        var counter = VaultRecord.Counter(number: number, name: counting.name, policy: policy, value: bytes)
        counter.first = try CounterIndex(record: counter).value(on: call)
        return counter
    }

    private func use<Result>(
        on call: ChipCall, _ body: (ESYS_TR) throws(KeyVaultError) -> Result
    ) throws(KeyVaultError) -> Result {
        let index = try call.chip.index(at: record.number, named: record.name)
        defer { call.chip.forget(index.handle) }
        return try call.chip.withAuthorization(AuthorizationValue(copying: record.value), of: index.handle) {
            () throws(KeyVaultError) in try body(index.handle)
        }
    }

    private static func read(_ handle: ESYS_TR, on call: ChipCall) throws(KeyVaultError) -> UInt64 {
        try call.chip.read(handle, as: handle, in: call.session, for: .index).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
