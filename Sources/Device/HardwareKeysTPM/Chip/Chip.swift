import CTSS2
import Glibc
import HardwareKeys

/// One connection to a TPM for the length of one piece of work; it ends with the value.
///
/// Nothing is left loaded in the chip: whoever loads or starts something flushes it before he returns. Not every
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

    /// What the calls of the library want as their first argument.
    var context: OpaquePointer? { session }

    /// Sends a command and returns what the chip says to it.
    func answer(to command: () -> TSS2_RC) -> ResponseCode {
        retry.answer(to: command)
    }

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

    /// Wipes and frees an answer that nobody reads.
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

    /// What the clock in the chip says.
    func time() throws(KeyVaultError) -> TrustedTime {
        var time: UnsafeMutablePointer<TPMS_TIME_INFO>?
        try send(.general) { Esys_ReadClock(context, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, &time) }
        return try take(time) {
            let clock = $0.pointee.clockInfo
            return TrustedTime(milliseconds: clock.clock, resetCount: clock.resetCount, isSafe: clock.safe != 0)
        }
    }
}
