import HardwareKeys
import SecureStorage
import TestSupport
import Testing

@Suite("7: device binding")
struct DeviceBindingTests {
    private var place: StoragePlace
    private let salt: [UInt8] = Array(0..<16)

    init() throws {
        place = try StoragePlace()
        place.environment.machineIdentifier = { Array("0123456789abcdef0123456789abcdef".utf8) }
    }

    private func text(
        _ salt: [UInt8], _ kind: DeviceBinding.Kind, at place: StoragePlace
    ) async throws(SecureStorageError) -> String {
        try await DeviceBinding.fingerprint(
            salt: salt, kind: kind, configuration: place.configuration, environment: place.environment)
    }

    @Test("The text has 64 lower-case digits, is the same again, and another for each salt, kind and device")
    func kinds() async throws {
        var hard = place
        hard.configuration.vault = try await CountingVault(inDirectory: place.folder.path + "/chip")
        var texts: Set<String> = []
        for kind in [DeviceBinding.Kind.hardware, .hardwareWithFallback, .osIdentifier] {
            for salt in [salt, Array(1..<17), Array(0..<17)] {
                let text = try await text(salt, kind, at: hard)
                #expect(text.count == 64 && text.allSatisfy { "0123456789abcdef".contains($0) })
                #expect(try await self.text(salt, kind, at: hard) == text)
                texts.insert(text)
            }
        }
        texts.insert(try await text(salt, .hardwareWithFallback, at: place))
        var other = place
        other.environment.machineIdentifier = { Array("1123456789abcdef0123456789abcdef".utf8) }
        texts.insert(try await text(salt, .osIdentifier, at: other))
        #expect(texts.count == 11)
    }

    @Test("A fallback is the same after a restart")
    func restart() async throws {
        let one = try await text(salt, .hardwareWithFallback, at: place)
        #expect(try await text(salt, .hardwareWithFallback, at: place) == one)
    }

    @Test("A short salt, a missing chip and a missing identifier are refused; a chip that is busy is no missing one")
    func refusals() async throws {
        await #expect(throws: SecureStorageError.valueInvalid) {
            try await text(Array(0..<15), .osIdentifier, at: place)
        }
        await #expect(throws: SecureStorageError.secureHardwareUnavailable) {
            try await text(salt, .hardware, at: place)
        }
        var none = place
        none.environment.machineIdentifier = { nil }
        await #expect(throws: SecureStorageError.configurationInvalid) { try await text(salt, .osIdentifier, at: none) }
        var hard = place
        let vault = try await CountingVault(inDirectory: place.folder.path + "/chip")
        hard.configuration.vault = vault
        vault.fail(.hardwareUnavailable)
        await #expect(throws: SecureStorageError.secureHardwareUnavailable) {
            try await text(salt, .hardwareWithFallback, at: hard)
        }
        vault.fail(.hardwareBusy)
        await #expect(throws: SecureStorageError.secureHardwareBusy) { try await text(salt, .hardware, at: hard) }
    }

    @Test("The identifier of the system is never shown, and the text serves as a fingerprint")
    func asFingerprint() async throws {
        let text = try await text(salt, .osIdentifier, at: place)
        #expect(text != "0123456789abcdef0123456789abcdef")
        let storage = try await place.open(fingerprint: text)
        try await storage.write()
        _ = try await place.open(fingerprint: text)
        await #expect(throws: SecureStorageError.fingerprintMismatch) {
            try await place.open(fingerprint: String(text.reversed()))
        }
    }
}
