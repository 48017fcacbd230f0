import CryptoKit
import HardwareKeys
import HardwareKeysApple
import Security
import Testing

@Suite("Keys with a secret")
struct SecretKeyTests {
    private let message = Array("a transaction".utf8)
    private let right = VaultSecret.random()

    private func counted(_ vault: AppleKeyVault, limit: UInt8 = 5) async throws -> KeyReference {
        try await vault.createKey(
            KeyRequirements(authorization: .countedSecret(limit: limit)), authorizedBy: right)
    }

    private func failures(_ vault: AppleKeyVault, _ key: KeyReference) async throws -> UInt8? {
        try await vault.attempts(of: key)?.failures
    }

    @Test("The right secret signs; a wrong one does not, however often it comes")
    func uncounted() async throws {
        try await onDevice { _, vault in
            let key = try await vault.createKey(KeyRequirements(authorization: .secret), authorizedBy: right)
            for _ in 1...10 {
                await #expect(throws: KeyVaultError.wrongSecret) {
                    try await vault.sign(message, with: key, authorizedBy: .secret(.random()))
                }
            }
            #expect(try await vault.attempts(of: key) == nil)
            let signature = try await vault.sign(message, with: key, authorizedBy: .secret(right))
            let publicKey = try P256.Signing.PublicKey(derRepresentation: try await vault.publicKey(of: key))
            #expect(publicKey.isValidSignature(try .init(rawRepresentation: signature), for: message))
        }
    }

    @Test("A key agreement takes the secret as well")
    func agreement() async throws {
        try await onDevice { _, vault in
            let requirements = KeyRequirements(use: .agreement, authorization: .countedSecret(limit: 2))
            let key = try await vault.createKey(requirements, authorizedBy: right)
            let other = P256.KeyAgreement.PrivateKey()
            let point = Array(other.publicKey.x963Representation)
            await #expect(throws: KeyVaultError.wrongSecret) {
                try await vault.agree(with: point, using: key, authorizedBy: .secret(.random()))
            }
            await #expect(throws: KeyVaultError.invalidPublicKey) {
                try await vault.agree(with: [4], using: key, authorizedBy: .secret(.random()))
            }
            #expect(try await failures(vault, key) == 1)
            let agreed = try await vault.agree(with: point, using: key, authorizedBy: .secret(right))
            let publicKey = try P256.KeyAgreement.PublicKey(derRepresentation: try await vault.publicKey(of: key))
            let expected = try other.sharedSecretFromKeyAgreement(with: publicKey)
            #expect(agreed.bytes == expected.withUnsafeBytes { Array($0) })
        }
    }

    @Test("After five wrong secrets even the right one is refused, also after a restart")
    func lockOut() async throws {
        try await onDevice { _, vault in
            let key = try await counted(vault)
            for count in 1...5 as ClosedRange<UInt8> {
                await #expect(throws: KeyVaultError.wrongSecret) { try await vault.verify(.random(), of: key) }
                #expect(try await vault.attempts(of: key) == KeyAttempts(failures: count, limit: 5))
            }
            for vault in [vault, try AppleKeyVault(named: "app")] {
                await #expect(throws: KeyVaultError.lockedOut) { try await vault.verify(right, of: key) }
                await #expect(throws: KeyVaultError.lockedOut) {
                    try await vault.sign(message, with: key, authorizedBy: .secret(right))
                }
                await #expect(throws: KeyVaultError.lockedOut) {
                    try await vault.changeSecret(of: key, from: right, to: .random())
                }
                #expect(try await vault.attempts(of: key)?.isExhausted == true)
                #expect(try await vault.publicKey(of: key).count == 91)
            }
        }
    }

    @Test("The right secret sets the count back, also at the last try", arguments: [1, 2, 5, 12] as [UInt8])
    func success(limit: UInt8) async throws {
        try await onDevice { _, vault in
            let key = try await counted(vault, limit: limit)
            for _ in 0..<2 {
                for _ in 1..<limit {
                    await #expect(throws: KeyVaultError.wrongSecret) { try await vault.verify(.random(), of: key) }
                }
                try await vault.verify(right, of: key)
                #expect(try await failures(vault, key) == 0)
            }
        }
    }

    @Test("Keys count apart from each other")
    func separateCounts() async throws {
        try await onDevice { _, vault in
            let (one, other) = (try await counted(vault), try await counted(vault))
            await #expect(throws: KeyVaultError.wrongSecret) { try await vault.verify(.random(), of: one) }
            #expect(try await failures(vault, one) == 1)
            #expect(try await failures(vault, other) == 0)
        }
    }

    @Test("A new secret makes the old one wrong, and a wrong old one is counted")
    func change() async throws {
        try await onDevice { _, vault in
            let key = try await counted(vault)
            let new = VaultSecret.random()
            await #expect(throws: KeyVaultError.wrongSecret) {
                try await vault.changeSecret(of: key, from: .random(), to: new)
            }
            #expect(try await failures(vault, key) == 1)
            let publicKey = try await vault.publicKey(of: key)
            try await vault.changeSecret(of: key, from: right, to: new)
            #expect(try await vault.publicKey(of: key) == publicKey)
            await #expect(throws: KeyVaultError.wrongSecret) { try await vault.verify(right, of: key) }
            #expect(try await vault.sign(message, with: key, authorizedBy: .secret(new)).count == 64)
        }
    }

    @Test("A secret is given exactly where the requirements ask for one, and a limit is at least one")
    func requirements() async throws {
        try await onDevice { device, vault in
            for authorization in [.secret, .countedSecret(limit: 5)] as [KeyRequirements.Authorization] {
                await #expect(throws: KeyVaultError.wrongUse) {
                    try await vault.createKey(KeyRequirements(authorization: authorization))
                }
            }
            for authorization in [.open, .userPresence(.biometryAny)] as [KeyRequirements.Authorization] {
                await #expect(throws: KeyVaultError.wrongUse) {
                    try await vault.createKey(KeyRequirements(authorization: authorization), authorizedBy: right)
                }
            }
            await #expect(throws: KeyVaultError.unsupportedRequirements) { try await counted(vault, limit: 0) }
            #expect(device.with { $0.items.isEmpty })
            let key = try await counted(vault)
            await #expect(throws: KeyVaultError.wrongUse) { try await vault.sign(message, with: key) }
            #expect(try await failures(vault, key) == 0)
        }
    }

    @Test("A try is counted before it is made: a crash never gives one away and a success is never lost")
    func crashWhileVerifying() async throws {
        for (secret, isRight) in [(right, true), (VaultSecret.random(), false)] {
            for writes in 0...2 {
                try await onDevice { device, vault in
                    let key = try await counted(vault)
                    await #expect(throws: KeyVaultError.wrongSecret) { try await vault.verify(.random(), of: key) }
                    device.with { $0.writesLeft = writes }
                    let outcome = await Result { try await vault.verify(secret, of: key) }
                    device.with { $0.writesLeft = nil }
                    let restarted = try AppleKeyVault(named: "app")
                    let count = try await failures(restarted, key)
                    switch (writes, isRight) {
                    case (0, _): #expect(count == 1 && outcome.isFailure)
                    case (1, true): #expect(count == 2 && outcome.isFailure)
                    case (_, true): #expect(count == 0 && !outcome.isFailure)
                    case (_, false): #expect(count == 2 && outcome.isFailure)
                    }
                    try await restarted.verify(right, of: key)
                }
            }
        }
    }

    @Test("After a crash in a change of the secret either the old or the new one is right, never none or both")
    func crashWhileChanging() async throws {
        for writes in 0...3 {
            try await onDevice { device, vault in
                let key = try await counted(vault)
                let new = VaultSecret.random()
                device.with { $0.writesLeft = writes }
                let outcome = await Result { try await vault.changeSecret(of: key, from: right, to: new) }
                device.with { $0.writesLeft = nil }
                #expect(outcome.isFailure == (writes < 3))
                let restarted = try AppleKeyVault(named: "app")
                let old = await Result { try await restarted.verify(right, of: key) }
                let fresh = await Result { try await restarted.verify(new, of: key) }
                #expect(old.isFailure != fresh.isFailure)
                #expect(fresh.isFailure == (writes < 3))
            }
        }
    }

    @Test("After a crash while a key is made or removed, removing it and making it again works")
    func crashWhileCreating() async throws {
        for writes in 0...4 {
            try await onDevice { device, vault in
                let key = KeyReference.fresh()
                let requirements = KeyRequirements(authorization: .countedSecret(limit: 5))
                device.with { $0.writesLeft = writes }
                _ = await Result {
                    try await vault.createKey(requirements, named: key, authorizedBy: right)
                    try? await vault.verify(.random(), of: key)
                    try await vault.deleteKey(key)
                }
                device.with { $0.writesLeft = nil }
                try await vault.deleteKey(key)
                #expect(device.with { $0.items.isEmpty })
                try await vault.createKey(requirements, named: key, authorizedBy: right)
                #expect(try await failures(vault, key) == 0)
            }
        }
    }

    @Test("A key made under a name whose removal ended halfway starts without failures")
    func leftoverCounts() async throws {
        try await onDevice { device, vault in
            let key = try await counted(vault)
            await #expect(throws: KeyVaultError.wrongSecret) { try await vault.verify(.random(), of: key) }
            device.with { $0.writesLeft = 1 }
            await #expect(throws: KeyVaultError.hardwareUnavailable) { try await vault.deleteKey(key) }
            device.with { $0.writesLeft = nil }
            await #expect(throws: KeyVaultError.unknownKey) { try await vault.attempts(of: key) }
            let requirements = KeyRequirements(authorization: .countedSecret(limit: 5))
            try await vault.createKey(requirements, named: key, authorizedBy: right)
            #expect(try await failures(vault, key) == 0)
        }
    }

    @Test("Tries at the same time in several vaults are all counted")
    func concurrentTries() async throws {
        try await onDevice { _, vault in
            let key = try await counted(vault, limit: 8)
            await withTaskGroup(of: Void.self) { group in
                for _ in 1...12 {
                    group.addTask { try? await AppleKeyVault(named: "app").verify(.random(), of: key) }
                }
            }
            #expect(try await failures(vault, key) == 8)
            await #expect(throws: KeyVaultError.lockedOut) { try await vault.verify(right, of: key) }
        }
    }

    @Test("A trouble with the Enclave costs the user no attempt")
    func lockedDevice() async throws {
        try await onDevice { device, vault in
            let key = try await counted(vault)
            device.with { $0.isBeforeFirstUnlock = true }
            await #expect(throws: KeyVaultError.deviceLocked) { try await vault.verify(.random(), of: key) }
            device.with { $0.isBeforeFirstUnlock = false }
            #expect(try await failures(vault, key) == 0)
        }
    }
}

extension Result where Success == Void, Failure == any Error {
    fileprivate init(_ body: () async throws -> Void) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }

    fileprivate var isFailure: Bool {
        if case .failure = self { true } else { false }
    }
}
