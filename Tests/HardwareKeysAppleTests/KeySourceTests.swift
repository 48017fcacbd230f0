import HardwareKeys
import HardwareKeysApple
import Security
import Testing

@Suite("The Secure Enclave as the place of an application's keys")
struct KeySourceTests {
    private func vault(from source: some KeyVaultSource) async throws -> any KeyVault {
        try await source.vault(inDirectory: "/nowhere")
    }

    @Test("A source opens the vault of its name, and keeps nothing in the directory")
    func source() async throws {
        try await onDevice { _, _ in
            let provider = try await vault(from: .secureEnclave("app")).provider
            #expect(provider == .secureEnclave)
        }
    }

    @Test("Without an Enclave it says so, and gives no other vault")
    func noEnclave() async throws {
        let device = StubDevice()
        device.with { $0.hasEnclave = false }
        await StubDevice.$current.withValue(device) {
            await #expect(throws: KeyVaultError.hardwareUnavailable) { () async throws in
                _ = try await vault(from: .secureEnclave("app"))
            }
        }
    }
}
