import CTSS2
import Glibc
import HardwareKeys

/// Access to the chip, connected anew for each unit of work: a chip that was reset or removed and came back is found
/// again.
struct ChipAccess: Sendable {
    let connection: TPMConnection
    /// Files with the lock that serialises all users of the vault, since not every chip isolates its users; nil without
    /// a vault.
    let files: VaultFiles?
    let retry: CommandRetry

    /// Does a piece of work under the parent of that name, or under the one that a new vault uses.
    ///
    /// Throws `KeyVaultError.hardwareUnavailable`, `KeyVaultError.unrecoverable` when the chip has no such parent,
    /// and what `work` throws.
    func withChip<Result>(
        under parentName: [UInt8]?, _ work: (ChipCall) throws(KeyVaultError) -> Result
    ) throws(KeyVaultError) -> Result {
        guard let files else { return try callNow(under: parentName, work) }
        return try files.havingTurn { () throws(KeyVaultError) in try callNow(under: parentName, work) }
    }

    /// Connects without a parent and a session, which a full chip has no room for.
    func connect() throws(KeyVaultError) -> Chip { try Chip(connectingTo: connection.name, retry: retry) }

    private func callNow<Result>(
        under parentName: [UInt8]?, _ work: (ChipCall) throws(KeyVaultError) -> Result
    ) throws(KeyVaultError) -> Result {
        let chip = try connect()
        let parent = try chip.openParent(named: parentName, owner: connection.owner)
        defer { chip.release(parent) }
        let session = try chip.startSession(.authorization, saltedTo: parent.handle)
        defer { chip.flush(session) }
        return try work(
            ChipCall(
                chip: chip, parent: parent, session: session,
                ownership: Ownership(value: connection.owner, session: session), tag: connection.tag,
                quota: connection.indexQuota))
    }
}

/// Resources of one unit of work on the chip: the connection, the parent of the keys, and a session that encrypts
/// secrets.
struct ChipCall {
    let chip: Chip
    let parent: StorageParent
    let session: ESYS_TR
    let ownership: Ownership
    let tag: OwnerTag
    /// Limit of the indices of this account.
    let quota: Int

    func withObject<Result>(
        _ blobs: KeyBlobs, _ body: (ESYS_TR) throws(KeyVaultError) -> Result
    ) throws(KeyVaultError) -> Result {
        let object = try chip.load(blobs, under: parent.handle, in: session)
        defer { chip.flush(object) }
        return try body(object)
    }

    func create(_ template: TPM2B_PUBLIC, holding sensitive: Chip.Sensitive) throws(KeyVaultError) -> KeyBlobs {
        try chip.create(template, holding: sensitive, under: parent.handle, in: session)
    }

    /// Whether an index may be made under a number: it is free, and the account has not used up its quota.
    ///
    /// Throws `KeyVaultError.hardwareFull` for the quota.
    func mayTake(_ number: UInt32) throws(KeyVaultError) -> Bool {
        let taken = try chip.takenIndexNumbers()
        // Only whether it could be too many is worth asking the chip for each.
        if taken.count >= quota {
            var own = 0
            for number in taken {
                guard let policy = try chip.policy(ofIndex: number) else { continue }
                if tag.marks(number, withPolicy: policy) { own += 1 }
            }
            guard own < quota else { throw .hardwareFull }
        }
        return !taken.contains(number)
    }

    func withPolicySession<Result>(
        _ body: (ESYS_TR) throws(KeyVaultError) -> Result
    ) throws(KeyVaultError) -> Result {
        let policy = try chip.startSession(.policy, saltedTo: parent.handle)
        defer { chip.flush(policy) }
        return try body(policy)
    }
}

/// One connection to a TPM for the length of one piece of work; it ends with the value.
///
/// Nothing is left loaded in the chip: code that loads or starts something flushes it before it returns. Not every
/// connection has a resource manager that would do it.
final class Chip {
    private var transport: OpaquePointer?
    private var session: OpaquePointer?
    private let retry: CommandRetry

    /// Connects; `name` says how (`device:/dev/tpmrm0`, `swtpm:path=...`).
    ///
    /// Throws `KeyVaultError.hardwareUnavailable`.
    init(connectingTo name: String, retry: CommandRetry) throws(KeyVaultError) {
        self.retry = retry
        guard Tss2_TctiLdr_Initialize(name, &transport) == 0 else { throw .hardwareUnavailable }
        guard Esys_Initialize(&session, transport, nil) == 0 else { throw .hardwareUnavailable }
    }

    deinit {
        Esys_Finalize(&session)
        Tss2_TctiLdr_Finalize(&transport)
    }

    /// ESAPI context, the first argument of every call of the library.
    var context: OpaquePointer? { session }

    func answer(to command: () -> TSS2_RC) -> ResponseCode { retry.answer(to: command) }

    /// Sends a command that has to succeed.
    func send(_ purpose: CommandPurpose, _ command: () -> TSS2_RC) throws(KeyVaultError) {
        let code = answer(to: command)
        guard code.isSuccess else { throw purpose.error(for: code) }
    }

    /// Reads an answer that the library has allocated, then wipes and frees it.
    func take<Answer, Result>(
        _ answer: UnsafeMutablePointer<Answer>?, _ read: (UnsafePointer<Answer>) throws(KeyVaultError) -> Result
    ) throws(KeyVaultError) -> Result {
        guard let answer else { throw .hardwareFailed(code: 0) }
        defer { discard(answer) }
        return try read(UnsafePointer(answer))
    }

    /// Wipes and frees an answer that no code reads.
    func discard<Answer>(_ answer: UnsafeMutablePointer<Answer>?) {
        guard let answer else { return }
        explicit_bzero(answer, MemoryLayout<Answer>.size)
        Esys_Free(answer)
    }

    /// Takes an object or a session out of the chip; a chip that does not answer has lost it anyway.
    func flush(_ handle: ESYS_TR) {
        _ = answer { Esys_FlushContext(context, handle) }
    }

    /// Forgets what the library knows about something that stays in the chip.
    func forget(_ handle: ESYS_TR) {
        var handle = handle
        _ = Esys_TR_Close(context, &handle)
    }

    /// The name of an entity: a digest of what it is (TPM 2.0, part 1, section 16).
    func name(of handle: ESYS_TR) throws(KeyVaultError) -> [UInt8] {
        var name: UnsafeMutablePointer<TPM2B_NAME>?
        try send(.general) { Esys_TR_GetName(context, handle, &name) }
        return try take(name) { $0.pointee.octets }
    }

    /// Sets the value that authorises uses of an entity for the length of `body`.
    func withAuthorization<Result>(
        _ value: AuthorizationValue?, of handle: ESYS_TR, _ body: () throws(KeyVaultError) -> Result
    ) throws(KeyVaultError) -> Result {
        guard let value else { return try body() }
        try value.withBuffer { buffer throws(KeyVaultError) in
            try send(.general) { Esys_TR_SetAuth(context, handle, buffer) }
        }
        defer {
            // Overwrites the library's copy.
            var none = TPM2B_AUTH()
            _ = Esys_TR_SetAuth(context, handle, &none)
        }
        return try body()
    }

    /// Time and reset count of the chip's clock.
    func time() throws(KeyVaultError) -> TrustedTime {
        var time: UnsafeMutablePointer<TPMS_TIME_INFO>?
        try send(.general) { Esys_ReadClock(context, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, &time) }
        return try take(time) {
            let clock = $0.pointee.clockInfo
            return TrustedTime(milliseconds: clock.clock, resetCount: clock.resetCount, isSafe: clock.safe != 0)
        }
    }
}
