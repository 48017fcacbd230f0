public import HardwareKeys

/// Why a storage did not do what it was asked for; the same as `SecureStorage.SecureStorageError`.
public typealias SecureStorageError = SecureStorage.SecureStorageError

extension SecureStorage {
    /// Why a storage did not do what it was asked for.
    ///
    /// ``advice-swift.property`` says of each case whether to try again, to ask the user, or to give the storage up.
    /// Nothing is ever deleted or reset by the storage itself. No case carries a name, a value or a path.
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
        /// The storage was written with another device fingerprint, or with none: try the right one. With a fingerprint
        /// that is gone the content is lost.
        case fingerprintMismatch
        /// The passphrase is another one, or is missing: ask again.
        case passphraseMismatch
        /// The file is older than the last acknowledged write: somebody put a copy back. Restore the newer file, or
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
        /// The user did not show that he is there, or it is too long ago: ask again.
        case userPresenceFailed(UserPresenceError)
        /// The user said no: leave it, or ask again when he wants.
        case userCancelled
        /// What is enrolled (fingers, faces) has changed since the storage was protected: the content is lost; delete
        /// the storage.
        case enrollmentChanged
        /// The name of an entry has 1 to 100 of letters, digits, `-`, `_`, `.`: choose another.
        case keyNameInvalid(NameFault)
        /// There is no entry of this name.
        case unknownKey
        /// The value is larger than the limits of the configuration allow: store less.
        case valueInvalid
        /// The entry holds bytes and was asked for as text, or the reverse: use the other getter.
        case incorrectGetter
        /// Somebody else has written the storage since it was loaded: `reload()` and try again, or use `update(_:)`.
        case conflict
        /// The file is of an older form and ``Configuration/migrateOnLoad`` is off: switch it on.
        case migrationNeeded
        /// The operating system refused; the number is its `errno`. The last acknowledged state is intact and what was
        /// not written is still in memory: free space, mount for writing, then try again.
        case ioFailure(code: Int32)
        /// Others may read or write the directory or a file: take their rights away (0700, 0600), then try again.
        case notPrivate
        /// The directory lies on a network file system: choose another, or set
        /// ``Configuration/allowsNetworkFileSystem``.
        case networkFileSystem
        /// The storage has or would have more entries or bytes than the limits of the configuration allow: remove some,
        /// or raise the limits.
        case limitExceeded
        /// The storage is not in memory: `load(_:)` first.
        case notLoaded
        /// The configuration asks for what does not go together or is not there: correct it.
        case configurationInvalid
    }

    /// What is wrong with a name.
    @nonexhaustive
    public enum NameFault: Hashable, Sendable {
        /// It is empty or longer than 100 characters.
        case length
        /// It has other characters than letters of ASCII, digits, `-`, `_`, `.`, or starts with a dot.
        case format
    }

    /// Why this version cannot read a file.
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
