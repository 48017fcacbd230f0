import CryptoKit
import HardwareKeys
import HardwareKeysApple
import Security
import Testing

@Suite("Keys of the Secure Enclave")
struct EnclaveKeyTests {
    private let message = Array("a transaction".utf8)

    @Test("A signature is r and s and fits the public key")
    func signature() async throws {
        try await onDevice { _, vault in
            let key = try await vault.createKey(KeyRequirements())
            let publicKey = try await vault.publicKey(of: key)
            #expect(publicKey.count == 91)
            let signature = try await vault.sign(message, with: key)
            #expect(signature.count == 64)
            let parsed = try P256.Signing.ECDSASignature(rawRepresentation: signature)
            #expect(try P256.Signing.PublicKey(derRepresentation: publicKey).isValidSignature(parsed, for: message))
        }
    }

    @Test("Both sides of a key agreement have the same secret")
    func agreement() async throws {
        try await onDevice { _, vault in
            let key = try await vault.createKey(KeyRequirements(use: .agreement))
            let publicKey = try await vault.publicKey(of: key)
            let other = P256.KeyAgreement.PrivateKey()
            let expected = try other.sharedSecretFromKeyAgreement(with: .init(derRepresentation: publicKey))
            let agreed = try await vault.agree(
                with: Array(other.publicKey.x963Representation), using: key, authorizedBy: .none)
            #expect(agreed.bytes == expected.withUnsafeBytes { Array($0) })
        }
    }

    @Test("A point that is not on the curve is refused")
    func invalidPoint() async throws {
        try await onDevice { _, vault in
            let key = try await vault.createKey(KeyRequirements(use: .agreement))
            for point in [[UInt8](repeating: 4, count: 65), [4], []] {
                await #expect(throws: KeyVaultError.invalidPublicKey) {
                    try await vault.agree(with: point, using: key, authorizedBy: .none)
                }
            }
        }
    }

    @Test("A key is used for what it was made for, and an open key takes nothing")
    func wrongUse() async throws {
        try await onDevice { _, vault in
            let signing = try await vault.createKey(KeyRequirements())
            let agreeing = try await vault.createKey(KeyRequirements(use: .agreement))
            let point = Array(P256.KeyAgreement.PrivateKey().publicKey.x963Representation)
            await #expect(throws: KeyVaultError.wrongUse) {
                try await vault.agree(with: point, using: signing, authorizedBy: .none)
            }
            await #expect(throws: KeyVaultError.wrongUse) { try await vault.sign(message, with: agreeing) }
            await #expect(throws: KeyVaultError.wrongUse) {
                try await vault.sign(message, with: signing, authorizedBy: .secret(.random()))
            }
            await #expect(throws: KeyVaultError.wrongUse) { try await vault.verify(.random(), of: signing) }
        }
    }

    @Test("A name serves one key; another vault of the same name finds it, a vault of another name does not")
    func names() async throws {
        try await onDevice { _, vault in
            let key = try await vault.createKey(KeyRequirements())
            await #expect(throws: KeyVaultError.duplicateKey) {
                try await vault.createKey(KeyRequirements(), named: key, authorizedBy: nil)
            }
            let same = try AppleKeyVault(named: "app")
            #expect(try await same.publicKey(of: key) == vault.publicKey(of: key))
            for other in [try AppleKeyVault(named: "other"), try AppleKeyVault(named: "app", accessGroup: "group")] {
                await #expect(throws: KeyVaultError.unknownKey) { try await other.publicKey(of: key) }
            }
        }
    }

    @Test("A deleted key is unknown, and deleting it again is no error")
    func deletion() async throws {
        try await onDevice { device, vault in
            let key = try await vault.createKey(
                KeyRequirements(authorization: .countedSecret(limit: 5)), authorizedBy: .random())
            await #expect(throws: KeyVaultError.wrongSecret) { try await vault.verify(.random(), of: key) }
            try await vault.deleteKey(key)
            try await vault.deleteKey(key)
            await #expect(throws: KeyVaultError.unknownKey) { try await vault.publicKey(of: key) }
            await #expect(throws: KeyVaultError.unknownKey) { try await vault.sign(message, with: key) }
            await #expect(throws: KeyVaultError.unknownKey) { try await vault.attempts(of: key) }
            await #expect(throws: KeyVaultError.unknownKey) { try await vault.verify(.random(), of: key) }
            #expect(device.with { $0.items.isEmpty })
        }
    }

    @Test("Everything in the keychain stays on this device")
    func accessibility() async throws {
        try await onDevice { device, vault in
            _ = try await vault.createKey(KeyRequirements())
            _ = try await vault.createKey(KeyRequirements(authorization: .userPresence(.biometryAny)))
            let counted = try await vault.createKey(
                KeyRequirements(authorization: .countedSecret(limit: 3)), authorizedBy: .random())
            await #expect(throws: KeyVaultError.wrongSecret) { try await vault.verify(.random(), of: counted) }
            _ = try await vault.deviceSecret(for: "a purpose")
            let accessibilities = Set(device.with { $0.items.map(\.accessibility) })
            #expect(accessibilities == [kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly])
        }
    }

    @Test("Without an Enclave there is no vault")
    func missingEnclave() async throws {
        let device = StubDevice()
        device.with { $0.hasEnclave = false }
        StubDevice.$current.withValue(device) {
            #expect(throws: KeyVaultError.hardwareUnavailable) { try AppleKeyVault(named: "app") }
        }
    }

    @Test("Before the first unlock everything waits, and nothing is lost")
    func beforeFirstUnlock() async throws {
        try await onDevice { device, vault in
            let key = try await vault.createKey(KeyRequirements())
            let sealed = try await vault.seal(.random(), behind: nil)
            device.with { $0.isBeforeFirstUnlock = true }
            await #expect(throws: KeyVaultError.deviceLocked) { try await vault.createKey(KeyRequirements()) }
            await #expect(throws: KeyVaultError.deviceLocked) { try await vault.sign(message, with: key) }
            await #expect(throws: KeyVaultError.deviceLocked) { try await vault.deleteKey(key) }
            await #expect(throws: KeyVaultError.deviceLocked) { try await vault.seal(.random(), behind: nil) }
            await #expect(throws: KeyVaultError.deviceLocked) {
                try await vault.unseal(sealed, authorizedBy: .none)
            }
            await #expect(throws: KeyVaultError.deviceLocked) { try await vault.deviceSecret(for: "a purpose") }
            device.with { $0.isBeforeFirstUnlock = false }
            #expect(try await vault.sign(message, with: key).count == 64)
        }
    }

    @Test("On another device a copied keychain is worth nothing, and the vault says so")
    func foreignDevice() async throws {
        let other = StubDevice()
        let secret = VaultSecret.random()
        let keys = [KeyReference.fresh(), .fresh(), .fresh()]
        try await onDevice { device, vault in
            try await vault.createKey(KeyRequirements(), named: keys[0], authorizedBy: nil)
            try await vault.createKey(
                KeyRequirements(authorization: .countedSecret(limit: 5)), named: keys[1], authorizedBy: secret)
            try await vault.createKey(KeyRequirements(use: .agreement), named: keys[2], authorizedBy: nil)
            _ = try await vault.deviceSecret(for: "a purpose")
            let items = device.with { $0.items }
            other.with { $0.items = items }
        }
        try await onDevice(other) { _, vault in
            await #expect(throws: KeyVaultError.unrecoverable) { try await vault.sign(message, with: keys[0]) }
            await #expect(throws: KeyVaultError.unrecoverable) { try await vault.verify(secret, of: keys[1]) }
            let attempts = try await vault.attempts(of: keys[1])
            #expect(attempts?.failures == 0)
            let point = Array(P256.KeyAgreement.PrivateKey().publicKey.x963Representation)
            await #expect(throws: KeyVaultError.unrecoverable) {
                try await vault.agree(with: point, using: keys[2], authorizedBy: .none)
            }
            await #expect(throws: KeyVaultError.unrecoverable) { try await vault.deviceSecret(for: "a purpose") }
        }
    }

    @Test("A record that was cut or lengthened is damaged, one of a newer version says so")
    func damagedRecords() async throws {
        try await onDevice { device, vault in
            let key = try await vault.createKey(
                KeyRequirements(authorization: .countedSecret(limit: 5)), authorizedBy: .random())
            let open = try await vault.createKey(KeyRequirements())
            for (index, key) in [key, open].enumerated() {
                let whole = device.with { $0.items[index].value }
                for count in 0..<70 {
                    device.with { $0.items[index].value = whole.prefix(count) }
                    await #expect(throws: KeyVaultError.damaged) { try await vault.publicKey(of: key) }
                }
                device.with { $0.items[index].value = Data([2]) + whole.dropFirst() }
                await #expect(throws: KeyVaultError.newerFormat(version: 2)) { try await vault.publicKey(of: key) }
                device.with { $0.items[index].value = whole }
                _ = try await vault.publicKey(of: key)
            }
            device.with { $0.items[1].value.append(0) }
            await #expect(throws: KeyVaultError.damaged) { try await vault.sign(message, with: open) }
        }
    }

    @Test("The statement says who keeps what")
    func statement() async throws {
        try await onDevice { _, vault in
            let statement = vault.protectionStatement
            #expect(vault.provider == .secureEnclave && statement.provider == .secureEnclave)
            #expect(statement.userGate == .hardware && statement.attemptCounting == .software)
            #expect(statement.rollbackDetection == .absent && vault.rollbackAnchor == nil)
            let time = try await vault.trustedTime()
            #expect(time == nil)
        }
    }
}
