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
    init(_ error: SecureStorageError) {
        switch error {
        case .unreadableStorage(.newerFormat(let major)): self = .newerFormat(version: UInt8(clamping: major))
        case .rollbackDetected: self = .rolledBack
        case .notPrivate: self = .exposed
        case .ioFailure(code: EBUSY): self = .busy
        case .networkFileSystem: self = .storageFailed(code: EREMOTE)
        case .limitExceeded: self = .storageFailed(code: EFBIG)
        case .ioFailure(let code): self = .storageFailed(code: code)
        case .secureHardwareUnavailable: self = .vault(.hardwareUnavailable)
        case .secureHardwareBusy: self = .vault(.hardwareBusy)
        case .unrecoverableKey: self = .vault(.unrecoverable)
        case .dataLocked: self = .vault(.deviceLocked)
        // Somebody else advances the counter of the vault: nothing can be told from it.
        case .configurationInvalid: self = .vault(.unsupportedRequirements)
        default: self = .damaged
        }
    }
}
