extension SecureStorage.SecureStorageError {
    /// What an application does about an error.
    @nonexhaustive
    public enum Advice: Hashable, Sendable {
        /// Try the same again, at once or when what the case names is better. Nothing is lost.
        case retry
        /// Correct the call or the configuration: another name, getter, limit, fingerprint, passphrase.
        case correct
        /// The content cannot be read any more: delete the storage and create a new one, after telling the user.
        case delete
    }

    /// What to do about this error.
    public var advice: Advice {
        switch self {
        case .secureHardwareUnavailable, .secureHardwareBusy, .dataLocked, .userPresenceFailed, .userCancelled,
            .conflict, .ioFailure, .notLoaded:
            .retry
        case .storageCorrupted, .rollbackDetected, .unrecoverableKey, .enrollmentChanged:
            .delete
        case .storageNameInvalid, .unknownStorage, .unreadableStorage, .fingerprintMismatch, .passphraseMismatch,
            .keyNameInvalid, .unknownKey, .valueInvalid, .incorrectGetter, .migrationNeeded, .notPrivate,
            .networkFileSystem, .limitExceeded, .configurationInvalid:
            .correct
        }
    }

    /// Whether the content of the storage is lost, whatever the application tries.
    ///
    /// A file that was damaged or replaced can still be restored from elsewhere; this library cannot read what is there.
    public var isUnrecoverable: Bool { advice == .delete }

    /// The number that the SDK this one follows gave to the same error; nil for errors that are new.
    public var legacyCode: Int? {
        switch self {
        case .storageNameInvalid(let fault): fault == .length ? -4302 : -4303
        case .unknownStorage: -4304
        case .unreadableStorage, .fingerprintMismatch: -4305
        case .keyNameInvalid(let fault): fault == .length ? -4309 : -4310
        case .unknownKey: -4311
        case .valueInvalid: -4313
        case .incorrectGetter: -4315
        case .storageCorrupted: -4316
        case .dataLocked: -4317
        case .passphraseMismatch, .rollbackDetected, .unrecoverableKey, .secureHardwareUnavailable,
            .secureHardwareBusy, .userPresenceFailed, .userCancelled, .enrollmentChanged, .conflict, .migrationNeeded,
            .ioFailure, .notPrivate, .networkFileSystem, .limitExceeded, .notLoaded, .configurationInvalid:
            nil
        }
    }
}
