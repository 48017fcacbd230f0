import HardwareKeys
import HardwareKeysApple
import Security
import Testing

@Suite("Secrets sealed by the Secure Enclave")
struct SealedSecretTests {
    private let secret = VaultSecret.random()

    @Test("What was sealed opens again and is not in the keychain")
    func roundTrip() async throws {
        try await onDevice { device, vault in
            let sealed = try await vault.seal(secret, behind: nil)
            #expect(try await vault.unseal(sealed, authorizedBy: .none).bytes == secret.bytes)
            #expect(try await AppleKeyVault(named: "other").unseal(sealed, authorizedBy: .none).bytes == secret.bytes)
            #expect(device.with { $0.items.isEmpty })
            #expect(try await vault.seal(secret, behind: nil) != sealed)
        }
    }

    @Test("Sealing behind a gate asks no question; opening takes one question", arguments: UserGate.all)
    func gates(gate: UserGate) async throws {
        try await onDevice { device, vault in
            let sealed = try await vault.seal(secret, behind: gate)
            #expect(device.with { $0.questions.isEmpty })
            await #expect(throws: KeyVaultError.userPresence(.mismatch)) {
                try await vault.unseal(sealed, authorizedBy: .none)
            }
            let proof = KeyAuthorization.userPresence(try await present().confirm(gate))
            #expect(try await vault.unseal(sealed, authorizedBy: proof).bytes == secret.bytes)
            #expect(device.with { $0.questions.count } == 1)
        }
    }

    @Test("A change of the enrolled fingers ends what was sealed behind the current set, and only that")
    func enrollmentChanged() async throws {
        try await onDevice { device, vault in
            let bound = try await vault.seal(secret, behind: .biometryCurrentSet)
            let any = try await vault.seal(secret, behind: .biometryAny)
            device.with { _ = $0.fingers.insert("left thumb") }
            let late = KeyAuthorization.userPresence(try await present().confirm(.biometryCurrentSet))
            await #expect(throws: KeyVaultError.userPresence(.enrollmentChanged)) {
                try await vault.unseal(bound, authorizedBy: late)
            }
            let proof = KeyAuthorization.userPresence(try await present().confirm(.biometryAny))
            #expect(try await vault.unseal(any, authorizedBy: proof).bytes == secret.bytes)
        }
    }

    @Test(
        "Another device says that the secret is lost, not that it is damaged",
        arguments: [nil, .userPresence] as [UserGate?])
    func foreignDevice(gate: UserGate?) async throws {
        let here = StubDevice()
        let sealed = try await StubDevice.$current.withValue(here) {
            try await AppleKeyVault(named: "app").seal(secret, behind: gate)
        }
        try await onDevice { _, vault in
            let proof: KeyAuthorization =
                if let gate { .userPresence(try await present().confirm(gate)) } else { .none }
            await #expect(throws: KeyVaultError.unrecoverable) {
                try await vault.unseal(sealed, authorizedBy: proof)
            }
        }
    }

    @Test("Every changed bit, every cut and every addition is damage")
    func damage() async throws {
        try await onDevice { _, vault in
            let sealed = try await vault.seal(secret, behind: nil)
            var spoiled = (0..<sealed.bytes.count * 8).map { bit in
                var bytes = sealed.bytes
                bytes[bit / 8] ^= 1 << (bit % 8)
                return bytes
            }
            spoiled += (1..<sealed.bytes.count).map { Array(sealed.bytes.prefix($0)) }
            spoiled.append(sealed.bytes + [0])
            for bytes in spoiled {
                let sealed = try #require(SealedSecret(bytes: bytes))
                await #expect(throws: KeyVaultError.damaged) {
                    try await vault.unseal(sealed, authorizedBy: .none)
                }
            }
        }
    }

    @Test("A device secret is the same for the same purpose, also after a restart, and another for another")
    func deviceSecret() async throws {
        let device = StubDevice()
        var first: [UInt8] = []
        try await onDevice(device) { _, vault in
            first = try await vault.deviceSecret(for: "binding").bytes
            #expect(try await vault.deviceSecret(for: "binding").bytes == first)
            #expect(try await vault.deviceSecret(for: "Binding").bytes != first)
            #expect(try await AppleKeyVault(named: "other").deviceSecret(for: "binding").bytes != first)
        }
        try await onDevice(device) { _, vault in
            let again = try await vault.deviceSecret(for: "binding")
            #expect(again.bytes == first)
        }
        try await onDevice { _, vault in
            let other = try await vault.deviceSecret(for: "binding")
            #expect(other.bytes != first)
        }
    }

    @Test("Vaults that ask for the first device secret at the same time get the same one")
    func deviceSecretRace() async throws {
        try await onDevice { device, _ in
            let secrets = try await withThrowingTaskGroup(of: [UInt8].self) { group in
                for _ in 1...8 {
                    group.addTask { try await AppleKeyVault(named: "app").deviceSecret(for: "binding").bytes }
                }
                return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
            }
            #expect(secrets.count == 1)
            #expect(device.with { $0.items.count } == 1)
        }
    }
}
