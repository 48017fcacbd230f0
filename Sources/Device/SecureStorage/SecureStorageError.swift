public import HardwareKeys

/// Errors of a secure storage; the same as `SecureStorage.SecureStorageError`.
///
/// ```swift
/// do {
///     use(
///         try await SecureStorage.createSecureStorage(
///             fileName: name, fingerprint: fingerprint, configuration: configuration))
/// } catch {
///     switch error.advice {
///     case .retry: show("Try again.")
///     case .correct: show("Correct the call: \(error)")
///     case .giveUp: show("A part of the data is lost: set it up again.")
///     case .delete: show("The data is lost: set up again.")
///     @unknown default: show("\(error)")
///     }
/// }
/// ```
public typealias SecureStorageError = SecureStorage.SecureStorageError

extension SecureStorage {
    /// Errors of a secure storage.
    ///
    /// ``advice-swift.property`` says of each case whether to try again, to ask the user, or to give the storage up.
    /// Nothing is ever deleted or reset by the storage itself. No case carries a value or a path, and none is described
    /// with a name.
    @nonexhaustive
    public enum SecureStorageError: Error, Hashable, Sendable {
        /// The name of a storage has 1 to 100 of letters, digits, `-`, `_`, `.`, and no dot in front: choose another.
        case storageNameInvalid(NameFault)
        /// There is no storage of this name: create one.
        case unknownStorage
        /// This version cannot read the file: update the application, or add what the reason names. Nothing is lost.
        case unreadableStorage(UnreadableReason)
        /// The file is not what this storage wrote: it was changed, cut, or belongs to another name. Its content is
        /// lost; restore the file, or delete the storage and fill a new one.
        case storageCorrupted
        /// The value of this entry is damaged; all others can still be read and written. Put it anew, or remove it.
        case entryDamaged(name: String)
        /// A part of the file is damaged that names entries or says what a commit changed: which ones is not known, and
        /// others can still be read. Restore the file, or give them up: ``Configuration/givesUpLostEntries``.
        case entriesLost
        /// The storage was written with another device fingerprint, or with none: try the right one. With a fingerprint
        /// that is gone the content is lost.
        case fingerprintMismatch
        /// The passphrase is another one, or is missing: ask again.
        case passphraseMismatch
        /// The file is older than the last acknowledged write: a copy was put back. Restore the newer file, or
        /// delete the storage.
        case rollbackDetected
        /// The hardware was cleared or replaced and the key is gone: the content is lost; delete the storage.
        case unrecoverableKey
        /// There is no secure hardware or it does not answer, or the storage was made with another kind: try again when
        /// it is there. Nothing is lost.
        case secureHardwareUnavailable
        /// The hardware, or another process that uses it, has no time now: try again. Nothing is lost.
        case secureHardwareBusy
        /// The operating system keeps the file sealed until the device is unlocked: try again then.
        case dataLocked
        /// The user was not verified, or the verification has expired: ask again.
        case userPresenceFailed(UserPresenceError)
        /// The user declined: leave it, or ask again when they want.
        case userCancelled
        /// The enrolment (fingers, faces) has changed since the storage was protected: the content is lost; delete the
        /// storage.
        case enrollmentChanged
        /// The name of an entry has 1 to 100 of letters, digits, `-`, `_`, `.`: choose another.
        case keyNameInvalid(NameFault)
        /// There is no entry of this name.
        case unknownKey
        /// The value is larger than the limits of the configuration allow: store less.
        case valueInvalid
        /// The entry holds bytes and was asked for as text, or the reverse: use the other getter.
        case incorrectGetter
        /// Another writer has written the storage since it was loaded: `reload()` and try again, or use `update(_:)`.
        case conflict
        /// The file is of an older form and ``Configuration/migrateOnLoad`` is off: switch it on.
        case migrationNeeded
        /// The operating system refused; the number is its `errno`. The last acknowledged state is intact and what was
        /// not written is still in memory: free space, mount for writing, then try again.
        case ioFailure(code: Int32)
        /// Others may read or write the directory or a file: take their rights away (0700, 0600), then try again.
        case notPrivate
        /// The directory is on a network file system: choose another, or set ``Configuration/allowsNetworkFileSystem``.
        case networkFileSystem
        /// The storage has or would have more entries or bytes than the limits of the configuration allow: remove some,
        /// or raise the limits.
        case limitExceeded
        /// The storage is not in memory: `load(_:)` first.
        case notLoaded
        /// The configuration asks for what does not go together or is not there: correct it.
        case configurationInvalid
    }

    /// Reason why a name is invalid.
    @nonexhaustive
    public enum NameFault: Hashable, Sendable {
        /// It is empty or longer than 100 characters.
        case length
        /// It has other characters than letters of ASCII, digits, `-`, `_`, `.`, or starts with a dot.
        case format
    }

    /// Reason why this version cannot read a file.
    @nonexhaustive
    public enum UnreadableReason: Hashable, Sendable {
        /// A newer version of this library wrote it.
        case newerFormat(major: UInt16)
        /// Its passphrase was derived with Argon2id, and ``Configuration/argon2`` is not set.
        case argon2Missing
        /// Its passphrase was derived at a cost that is under or over what this version computes.
        case unacceptableCost
    }
}

extension SecureStorage.SecureStorageError: CustomStringConvertible {
    /// Name of the case, with its reason or number in parentheses.
    public var description: String {
        switch self {
        case .storageNameInvalid(let fault): "storageNameInvalid(\(fault.description))"
        case .unknownStorage: "unknownStorage"
        case .unreadableStorage(let reason): "unreadableStorage(\(reason.description))"
        case .storageCorrupted: "storageCorrupted"
        case .entryDamaged: "entryDamaged"
        case .entriesLost: "entriesLost"
        case .fingerprintMismatch: "fingerprintMismatch"
        case .passphraseMismatch: "passphraseMismatch"
        case .rollbackDetected: "rollbackDetected"
        case .unrecoverableKey: "unrecoverableKey"
        case .secureHardwareUnavailable: "secureHardwareUnavailable"
        case .secureHardwareBusy: "secureHardwareBusy"
        case .dataLocked: "dataLocked"
        case .userPresenceFailed(let error): "userPresenceFailed(\(error.description))"
        case .userCancelled: "userCancelled"
        case .enrollmentChanged: "enrollmentChanged"
        case .keyNameInvalid(let fault): "keyNameInvalid(\(fault.description))"
        case .unknownKey: "unknownKey"
        case .valueInvalid: "valueInvalid"
        case .incorrectGetter: "incorrectGetter"
        case .conflict: "conflict"
        case .migrationNeeded: "migrationNeeded"
        case .ioFailure(let code): "ioFailure(code: \(code))"
        case .notPrivate: "notPrivate"
        case .networkFileSystem: "networkFileSystem"
        case .limitExceeded: "limitExceeded"
        case .notLoaded: "notLoaded"
        case .configurationInvalid: "configurationInvalid"
        }
    }
}

extension SecureStorage.NameFault: CustomStringConvertible {
    /// Name of the case.
    public var description: String {
        switch self {
        case .length: "length"
        case .format: "format"
        }
    }
}

extension SecureStorage.UnreadableReason: CustomStringConvertible {
    /// Name of the case, with the version in parentheses.
    public var description: String {
        switch self {
        case .newerFormat(let major): "newerFormat(major: \(major))"
        case .argon2Missing: "argon2Missing"
        case .unacceptableCost: "unacceptableCost"
        }
    }
}

extension SecureStorage.SecureStorageError {
    /// Recommended reaction of an application to an error.
    @nonexhaustive
    public enum Advice: Hashable, Sendable {
        /// Try the same again, at once or when what the case names is better. Nothing is lost.
        case retry
        /// Correct the call or the configuration: another name, getter, limit, fingerprint, passphrase.
        case correct
        /// A part of the content cannot be read any more: give it up, after telling the user. The rest stays.
        case giveUp
        /// The content cannot be read any more: delete the storage and create a new one, after telling the user.
        case delete
    }

    /// Recommended reaction to this error.
    public var advice: Advice {
        switch self {
        case .secureHardwareUnavailable, .secureHardwareBusy, .dataLocked, .userPresenceFailed, .userCancelled,
            .conflict, .ioFailure, .notLoaded:
            .retry
        case .entryDamaged, .entriesLost:
            .giveUp
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
    /// A file that was damaged or replaced can still be restored from elsewhere; this library cannot read what is
    /// there.
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
        case .storageCorrupted, .entryDamaged, .entriesLost: -4316
        case .dataLocked: -4317
        case .passphraseMismatch, .rollbackDetected, .unrecoverableKey, .secureHardwareUnavailable,
            .secureHardwareBusy, .userPresenceFailed, .userCancelled, .enrollmentChanged, .conflict, .migrationNeeded,
            .ioFailure, .notPrivate, .networkFileSystem, .limitExceeded, .notLoaded, .configurationInvalid:
            nil
        }
    }
}
