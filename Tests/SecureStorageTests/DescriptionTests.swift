import HardwareKeys
import SecureStorage
import Testing

/// The lists are written out: logs, recordings and commands show these texts, also where a build has no names of cases.
@Suite("Errors, gates and key derivations of a storage are described by their names")
struct DescriptionTests {
    @Test("Errors with a reason or a number show it in parentheses")
    func reasons() {
        let values: [SecureStorageError] = [
            .storageNameInvalid(.length), .keyNameInvalid(.format), .unreadableStorage(.newerFormat(major: 2)),
            .unreadableStorage(.argon2Missing), .unreadableStorage(.unacceptableCost), .userPresenceFailed(.expired),
            .ioFailure(code: 28),
        ]
        #expect(
            values.map(\.description) == [
                "storageNameInvalid(length)", "keyNameInvalid(format)", "unreadableStorage(newerFormat(major: 2))",
                "unreadableStorage(argon2Missing)", "unreadableStorage(unacceptableCost)",
                "userPresenceFailed(expired)", "ioFailure(code: 28)",
            ])
    }

    @Test("Errors without a reason show their names")
    func errors() {
        let values: [SecureStorageError] = [
            .unknownStorage, .storageCorrupted, .fingerprintMismatch, .passphraseMismatch, .rollbackDetected,
            .unrecoverableKey, .secureHardwareUnavailable, .secureHardwareBusy, .dataLocked, .userCancelled,
            .enrollmentChanged, .unknownKey, .valueInvalid, .incorrectGetter, .conflict, .migrationNeeded,
            .notPrivate, .networkFileSystem, .limitExceeded, .notLoaded, .configurationInvalid,
            .entryDamaged(name: "private"), .entriesLost,
        ]
        #expect(
            values.map(\.description) == [
                "unknownStorage", "storageCorrupted", "fingerprintMismatch", "passphraseMismatch", "rollbackDetected",
                "unrecoverableKey", "secureHardwareUnavailable", "secureHardwareBusy", "dataLocked", "userCancelled",
                "enrollmentChanged", "unknownKey", "valueInvalid", "incorrectGetter", "conflict", "migrationNeeded",
                "notPrivate", "networkFileSystem", "limitExceeded", "notLoaded", "configurationInvalid",
                "entryDamaged", "entriesLost",
            ])
    }

    @Test("Gates show their names")
    func gates() {
        let values: [SecureStorage.Protection] = [
            .none, .devicePasscode, .biometryAny, .biometryCurrentSet, .userPresence,
        ]
        #expect(
            values.map(\.description) == [
                "none", "devicePasscode", "biometryAny", "biometryCurrentSet", "userPresence",
            ])
    }

    @Test("Key derivations show their costs")
    func derivations() {
        let values: [SecureStorage.KeyDerivation] = [
            .standard, .argon2id(memoryKibibytes: 19456, passes: 2, lanes: 1), .pbkdf2SHA512(rounds: 210_000),
        ]
        #expect(
            values.map(\.description) == [
                "scrypt(rounds: 32768, blockSize: 8, parallelism: 3)",
                "argon2id(memoryKibibytes: 19456, passes: 2, lanes: 1)", "pbkdf2SHA512(rounds: 210000)",
            ])
    }
}
