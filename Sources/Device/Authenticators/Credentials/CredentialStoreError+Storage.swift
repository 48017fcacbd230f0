import HardwareKeys
import SecureStorage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

extension CredentialStoreError {
    /// Maps an error of the secure storage to an error of the store.
    ///
    /// Only what was found in the files is ``damaged``: an app that hears of damage gives the registrations up.
    init(_ error: SecureStorageError) {
        switch error {
        case .unreadableStorage(.newerFormat(let major)): self = .newerFormat(version: UInt8(clamping: major))
        case .rollbackDetected: self = .rolledBack
        case .notPrivate: self = .exposed
        case .ioFailure(code: EBUSY): self = .busy
        case .networkFileSystem: self = .storageFailed(code: EREMOTE)
        case .limitExceeded, .valueInvalid: self = .storageFailed(code: EFBIG)
        case .ioFailure(let code): self = .storageFailed(code: code)
        case .secureHardwareUnavailable: self = .vault(.hardwareUnavailable)
        case .secureHardwareBusy: self = .vault(.hardwareBusy)
        case .unrecoverableKey: self = .vault(.unrecoverable)
        case .dataLocked: self = .vault(.deviceLocked)
        case .userPresenceFailed(let refusal): self = .vault(.userPresence(refusal))
        case .userCancelled: self = .vault(.userPresence(.cancelled))
        case .enrollmentChanged: self = .vault(.userPresence(.enrollmentChanged))
        // Another program advances the counter of the vault: it shows nothing.
        case .configurationInvalid: self = .vault(.unsupportedRequirements)
        // The store asks for none of these.
        case .storageNameInvalid, .keyNameInvalid, .notLoaded, .migrationNeeded: self = .vault(.wrongUse)
        // The file is gone (an update takes up every other change of it), or it is there and is not what this store
        // writes: it has neither passphrase nor fingerprint.
        case .conflict, .storageCorrupted, .entryDamaged, .entriesLost, .unknownStorage, .unreadableStorage,
            .fingerprintMismatch, .passphraseMismatch, .unknownKey, .incorrectGetter:
            self = .damaged
        }
    }
}

extension SecureStorageCredentialStore {
    /// Meaning of an error of a vault's storage, after a look at what the vault needs to tell older copies.
    static func error(
        _ error: SecureStorageError, inDirectory directory: String, of fileSystem: any FileSystem, _ vault: any KeyVault
    ) async -> CredentialStoreError {
        switch error {
        case .rollbackDetected
        where vault.rollbackAnchor != nil && !SecureStorage.hasLedger(inDirectory: directory, of: fileSystem):
            .lostLedger
        case .unrecoverableKey where await hasLostCounter(vault): .lostCounter
        default: CredentialStoreError(error)
        }
    }

    private static func hasLostCounter(_ vault: any KeyVault) async -> Bool {
        do throws(KeyVaultError) {
            _ = try await vault.rollbackAnchor?.value()
            return false
        } catch {
            return error == .unrecoverable
        }
    }
}
