package import HardwareKeys

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

extension SecureStorage.SecureStorageError {
    init(_ error: FileSystemError) {
        switch error {
        case .absent: self = .unknownStorage
        case .present: self = .conflict
        case .exposed: self = .notPrivate
        case .tooLarge: self = .limitExceeded
        case .busy: self = .ioFailure(code: EBUSY)
        case .failed(code: EREMOTE): self = .networkFileSystem
        case .failed(let code): self = Self.sealedByTheSystem(code) ? .dataLocked : .ioFailure(code: code)
        }
    }

    init(_ error: KeyVaultError) {
        switch error {
        case .damaged: self = .storageCorrupted
        case .unrecoverable, .unknownKey, .notInitialized, .lockedOut: self = .unrecoverableKey
        case .hardwareUnavailable, .hardwareFailed, .hardwareFull, .ownerAuthorizationRequired:
            self = .secureHardwareUnavailable
        case .hardwareBusy, .hardwareOccupied, .busy: self = .secureHardwareBusy
        case .deviceLocked: self = .dataLocked
        case .userPresence(let reason): self = Self(reason)
        case .exposed: self = .notPrivate
        case .newerFormat(let version): self = .unreadableStorage(.newerFormat(major: UInt16(version)))
        case .storageFailed(let code): self = Self.sealedByTheSystem(code) ? .dataLocked : .ioFailure(code: code)
        case .alreadyInitialized, .duplicateKey, .unsupportedRequirements, .wrongUse, .wrongSecret, .invalidPublicKey:
            self = .configurationInvalid
        }
    }

    init(_ error: UserPresenceError) {
        switch error {
        case .cancelled: self = .userCancelled
        case .enrollmentChanged: self = .enrollmentChanged
        case .fallbackChosen, .mismatch, .lockedOut, .unavailable, .expired, .notResponding:
            self = .userPresenceFailed(error)
        }
    }

    /// Data protection of Apple platforms answers so while the device is locked.
    private static func sealedByTheSystem(_ code: Int32) -> Bool {
        #if canImport(Darwin)
            code == EPERM
        #else
            false
        #endif
    }
}

extension SecureStorage.SecureStorageError {
    package init(vault error: KeyVaultError) { self.init(error) }
}
