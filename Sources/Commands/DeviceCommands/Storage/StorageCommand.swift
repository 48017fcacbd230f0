package import ArgumentParser
import CommandSupport
import HardwareKeys
import SecureStorage

package struct StorageCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "storage",
        abstract: "Keep values in encrypted files that are bound to this device.",
        discussion: "Values come from a file or from standard input, never as arguments.",
        subcommands: [
            StorageCreate.self, StoragePut.self, StorageGet.self, StorageList.self, StorageWrite.self,
            StorageRepair.self, StorageInspect.self, StorageDelete.self, StorageDestroy.self,
        ])

    package init() {}
}

extension CommandFailure {
    init(_ error: SecureStorageError) {
        let isRefusal =
            switch error {
            case .fingerprintMismatch, .passphraseMismatch, .rollbackDetected, .userCancelled, .userPresenceFailed,
                .enrollmentChanged, .conflict:
                true
            case .storageNameInvalid, .unknownStorage, .unreadableStorage, .storageCorrupted, .entryDamaged,
                .entriesLost, .unrecoverableKey, .secureHardwareUnavailable, .secureHardwareBusy, .dataLocked,
                .keyNameInvalid, .unknownKey, .valueInvalid, .incorrectGetter, .migrationNeeded, .ioFailure,
                .notPrivate, .networkFileSystem, .limitExceeded, .notLoaded, .configurationInvalid:
                false
            }
        self.init(
            kind: isRefusal ? .refused : .local, code: Self.name(of: error), message: Self.sentence(for: error),
            isRetryable: error.advice == .retry)
    }

    /// Name of the enum case, with a capital letter.
    private static func name(of error: SecureStorageError) -> String {
        let name = error.description.prefix { $0 != "(" }
        return name.prefix(1).uppercased() + name.dropFirst()
    }

    private static func sentence(for error: SecureStorageError) -> String {
        switch error {
        case .storageNameInvalid, .keyNameInvalid:
            "a name has 1 to 100 of letters, digits, hyphen, underscore and dot"
        case .unknownStorage: "there is no such storage"
        case .unreadableStorage: "a newer version wrote the storage, or its passphrase costs what this one refuses"
        case .storageCorrupted: "the file is damaged, or not what this storage wrote; its content is lost"
        case .entryDamaged(let name):
            "the value of \(name) is damaged, and no other: put it anew, or give it up with signet storage repair"
        case .entriesLost:
            "a part of the file is damaged that says what some entries are: restore the file, or give these entries up "
                + "with signet storage repair"
        case .fingerprintMismatch: "the storage belongs to another device fingerprint"
        case .passphraseMismatch: "the passphrase is missing or wrong"
        case .rollbackDetected: "the file is older than the last write: an older copy was put back"
        case .unrecoverableKey: "the key of the storage is gone, and its content with it"
        case .secureHardwareUnavailable: "the storage needs hardware that is not there"
        case .secureHardwareBusy: "the hardware is busy; try again"
        case .unknownKey: "there is no entry of this name"
        case .valueInvalid: "the value is no text, or too large"
        case .conflict: "another process has written the storage meanwhile; try again"
        case .ioFailure(let code): "the operating system refused (error \(code)); the last state is intact"
        case .notPrivate: "others may read or write the files: take their rights away (0700, 0600)"
        case .networkFileSystem: "the directory lies on a network file system"
        case .limitExceeded: "the storage is full"
        case .dataLocked, .userPresenceFailed, .userCancelled, .enrollmentChanged, .incorrectGetter, .migrationNeeded,
            .notLoaded, .configurationInvalid:
            "the storage says: \(error.description)"
        }
    }
}
