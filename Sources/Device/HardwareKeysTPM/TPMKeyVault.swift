public import HardwareKeys

/// A vault whose keys lie in a TPM 2.0 chip.
///
/// The chip makes the keys, uses them, and gives them out only in a form that it alone reads; that form lies in the
/// directory of the vault, one file per key. A PIN is counted and locked by the chip, not by this program: neither an
/// older copy of the files nor the administrator gets tries back. `docs/decisions/0009-pin-in-the-chip.md` tells how.
///
/// Every call takes its own connection to the chip, waits for it on a thread of the vault's own, and leaves nothing
/// loaded. Calls of one vault run one after the other.
///
/// ```swift
/// let vault = try await TPMKeyVault.create(inDirectory: directory, connection: connection)
/// let key = try await vault.createKey(
///     KeyRequirements(authorization: .countedSecret(limit: 5)), authorizedBy: secret)
/// let signature = try await vault.sign(message, with: key, authorizedBy: .secret(secret))
/// let attempts = try await vault.attempts(of: key)  // No failures, of five at most.
/// ```
public actor TPMKeyVault: KeyVault {
    /// Always `KeyProvider.trustedPlatformModule`.
    public nonisolated let provider = KeyProvider.trustedPlatformModule

    /// Statement of the rules that the chip enforces, and of those that this program does.
    public nonisolated let protectionStatement: ProtectionStatement

    /// The thread that waits for the chip.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    private nonisolated let thread: BlockingThread
    let access: ChipAccess
    let files: VaultFiles
    let record: VaultRecord

    init(_ record: VaultRecord, setUp: VaultSetup, thread: BlockingThread) {
        self.record = record
        self.thread = thread
        access = setUp.access
        files = setUp.files
        protectionStatement = ProtectionStatement(trustedPlatformModuleCounting: record.countsAttempts)
    }

    /// Makes a vault in a directory that is private (mode 0700) or does not exist yet, and opens it.
    ///
    /// It takes a counter in the memory of the chip; chips have room for some two dozen. Throws
    /// `KeyVaultError.alreadyInitialized` when a vault is there, `KeyVaultError.exposed`, `KeyVaultError.busy`,
    /// `KeyVaultError.storageFailed`, `KeyVaultError.hardwareUnavailable`, `KeyVaultError.hardwareBusy`,
    /// `KeyVaultError.hardwareFull`, and `KeyVaultError.ownerAuthorizationRequired`.
    public static func create(
        inDirectory directory: String, connection: TPMConnection = .system
    ) async throws(KeyVaultError) -> TPMKeyVault {
        try await create(inDirectory: directory, connection: connection, of: PosixFileSystem())
    }

    /// Opens the vault that ``create(inDirectory:connection:)`` made, and undoes what a crash has left half done.
    ///
    /// Throws `KeyVaultError.notInitialized` when there is none, `KeyVaultError.unrecoverable` when the chip was
    /// cleared or is another one, `KeyVaultError.hardwareUnavailable` when it does not answer,
    /// `KeyVaultError.damaged`, `KeyVaultError.newerFormat` and the cases of
    /// ``create(inDirectory:connection:)`` for files and hardware.
    public static func open(
        inDirectory directory: String, connection: TPMConnection = .system
    ) async throws(KeyVaultError) -> TPMKeyVault {
        try await open(inDirectory: directory, connection: connection, of: PosixFileSystem())
    }

    /// Destroys a vault: its keys, and what it has taken of the memory of the chip; keys and sealed secrets are lost.
    ///
    /// Without it the counter of a vault stays in the chip for ever, because removing files does not reach it. After a
    /// crash it can be called again. Nothing of other vaults is touched, and a vault that is open elsewhere throws
    /// `KeyVaultError.unrecoverable` from then on. Throws `KeyVaultError.notInitialized` when there is none,
    /// `KeyVaultError.damaged` when its file cannot be read, and the cases for files and hardware.
    public static func destroy(
        inDirectory directory: String, connection: TPMConnection = .system
    ) async throws(KeyVaultError) {
        try await destroy(inDirectory: directory, connection: connection, of: PosixFileSystem())
    }

    package static func destroy(
        inDirectory directory: String, connection: TPMConnection, of fileSystem: any FileSystem
    ) async throws(KeyVaultError) {
        try await VaultSetup(inDirectory: directory, connection: connection, of: fileSystem).destroy()
    }

    package static func create(
        inDirectory directory: String, connection: TPMConnection, of fileSystem: any FileSystem
    ) async throws(KeyVaultError) -> TPMKeyVault {
        try await VaultSetup(inDirectory: directory, connection: connection, of: fileSystem).create()
    }

    package static func open(
        inDirectory directory: String, connection: TPMConnection, of fileSystem: any FileSystem
    ) async throws(KeyVaultError) -> TPMKeyVault {
        try await VaultSetup(inDirectory: directory, connection: connection, of: fileSystem).open()
    }

    /// Does a piece of work with the chip the vault was made with.
    func withChip<Result>(
        _ work: (ChipCall) throws(KeyVaultError) -> Result
    ) throws(KeyVaultError) -> Result {
        try access.withChip(under: record.parentName, work)
    }

    // MARK: - What a chip adds

    /// The vault's counter in the chip.
    public nonisolated var rollbackAnchor: (any RollbackAnchor)? { TPMRollbackAnchor(of: self) }

    /// Time and reset count of the chip's clock.
    ///
    /// Throws the cases for hardware that is out of reach.
    public func trustedTime() async throws(KeyVaultError) -> TrustedTime? {
        try files.havingTurn { () throws(KeyVaultError) in
            try access.connect().time()
        }
    }

    func counterValue() throws(KeyVaultError) -> UInt64 {
        try withChip { call throws(KeyVaultError) in try CounterIndex(record: record.counter).value(on: call) }
    }

    func firstCounterValue() throws(KeyVaultError) -> UInt64? {
        // The chip uses no key whose mark was changed or taken off, and no other object of its own authenticates.
        try withChip { call throws(KeyVaultError) in
            try call.withObject(record.deviceKey) { key throws(KeyVaultError) in
                _ = try call.chip.authenticate(record.name.bytes, with: key, in: call.session)
            }
        }
        return record.counter.first
    }

    func advanceCounter() throws(KeyVaultError) -> UInt64 {
        try withChip { call throws(KeyVaultError) in try CounterIndex(record: record.counter).advance(on: call) }
    }
}

extension TPMKeyVault {
    private static let folder = "tpm-keys"

    package static func path(below directory: String) -> String { directory + "/" + folder }

    static func openOrCreate(
        below directory: String, connection: TPMConnection
    ) async throws(KeyVaultError) -> TPMKeyVault {
        let path = path(below: directory)
        do throws(KeyVaultError) {
            return try await open(inDirectory: path, connection: connection)
        } catch .notInitialized {
            do throws(KeyVaultError) {
                return try await create(inDirectory: path, connection: connection)
            } catch .alreadyInitialized {
                // Another process made it since.
                return try await open(inDirectory: path, connection: connection)
            }
        }
    }
}

extension ProtectionStatement {
    /// Protection of a vault in a TPM, with a chip that counts wrong secrets or one that is too old for it.
    init(trustedPlatformModuleCounting countsAttempts: Bool) {
        let counting =
            countsAttempts
            ? """
            Wrong PINs are counted by the chip, which locks a key for good at the limit: neither an older copy of the \
            files nor the administrator gets tries back.
            """
            : """
            This chip cannot count wrong PINs (TPM_NT_PIN_FAIL is missing): keys with counted secrets are refused. \
            Where software counts, an older copy of the files gives tries back.
            """
        self.init(
            provider: .trustedPlatformModule, attemptCounting: countsAttempts ? .hardware : .software,
            userGate: .software, rollbackDetection: .hardware,
            text: """
                Keys lie in the TPM chip of this machine and cannot be copied from it; the files hold them in a form \
                that only this chip reads. \(counting) Older copies of files are noticed by a counter in the chip. That \
                a user is present (fingerprint, passcode) is checked by this program alone: an attacker who controls \
                the account can use such keys on this machine without the user. Clearing the TPM, or a new mainboard, destroys \
                all keys. Every account that may talk to the chip can burn the tries of a PIN or delete its counter, \
                which destroys the key but never opens it: keep the group tss, which owns /dev/tpmrm0, small.
                """)
    }
}
