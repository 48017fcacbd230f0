import HardwareKeys
import Testing

/// The lists are written out: logs, recordings and commands show these texts, also where a build has no names of cases.
@Suite("Errors of keys and files, and places of keys, are described by their names")
struct DescriptionTests {
    @Test("Errors of a vault have these descriptions")
    func vault() {
        let values: [KeyVaultError] = [
            .notInitialized, .alreadyInitialized, .unknownKey, .duplicateKey, .unsupportedRequirements, .wrongUse,
            .wrongSecret, .lockedOut, .invalidPublicKey, .exposed, .damaged, .unrecoverable, .hardwareUnavailable,
            .hardwareBusy, .hardwareOccupied, .deviceLocked, .hardwareFull, .ownerAuthorizationRequired, .busy,
            .userPresence(.mismatch),
            .hardwareFailed(code: 0x922), .newerFormat(version: 3), .storageFailed(code: -34018),
        ]
        #expect(
            values.map(\.description) == [
                "notInitialized", "alreadyInitialized", "unknownKey", "duplicateKey", "unsupportedRequirements",
                "wrongUse", "wrongSecret", "lockedOut", "invalidPublicKey", "exposed", "damaged", "unrecoverable",
                "hardwareUnavailable", "hardwareBusy", "hardwareOccupied", "deviceLocked", "hardwareFull",
                "ownerAuthorizationRequired",
                "busy", "userPresence(mismatch)", "hardwareFailed(code: 2338)", "newerFormat(version: 3)",
                "storageFailed(code: -34018)",
            ])
    }

    @Test("Errors of the gates that users pass have these descriptions")
    func presence() {
        let values: [UserPresenceError] = [
            .cancelled, .fallbackChosen, .mismatch, .lockedOut, .unavailable, .enrollmentChanged, .expired,
            .notResponding,
        ]
        #expect(
            values.map(\.description) == [
                "cancelled", "fallbackChosen", "mismatch", "lockedOut", "unavailable", "enrollmentChanged", "expired",
                "notResponding",
            ])
    }

    @Test("Errors of files have these descriptions")
    func files() {
        let values: [FileSystemError] = [
            .absent, .present, .exposed, .busy, .tooLarge(limit: 512), .failed(code: 28),
        ]
        #expect(
            values.map(\.description) == [
                "absent", "present", "exposed", "busy", "tooLarge(limit: 512)", "failed(code: 28)",
            ])
    }

    @Test("Places of keys have these descriptions")
    func places() {
        let values: [KeyProvider] = [
            .software, .trustedPlatformModule, .secureEnclave,
        ]
        #expect(values.map(\.description) == ["software", "trustedPlatformModule", "secureEnclave"])
    }
}
