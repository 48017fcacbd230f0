import HardwareKeys
import TestSupport
import Testing

@Suite("Secrets of keys in the software vault")
struct KeySecretTests {
    private let folder: TemporaryFolder
    private let vault: SoftwareKeyVault
    private let right = VaultSecret.random()
    private let wrong = VaultSecret.random()

    init() async throws {
        folder = try TemporaryFolder()
        vault = try await SoftwareKeyVault.create(inDirectory: folder.path + "/vault")
    }

    @Test("A key with a secret signs for the right one and refuses a wrong one, without counting")
    func secret() async throws {
        let key = try await makeKey(.secret)
        for _ in 0..<10 {
            await #expect(throws: KeyVaultError.wrongSecret) { try await sign(key, .secret(wrong)) }
        }
        try await sign(key, .secret(right))
        #expect(try await vault.attempts(of: key) == nil)
    }

    @Test("A key is used only with exactly what it asks for")
    func authorization() async throws {
        let proof = KeyAuthorization.userPresence(UserPresenceProof(gate: .biometryAny))
        let open = try await vault.createKey(KeyRequirements())
        let secret = try await makeKey(.secret)
        let counted = try await makeKey(.countedSecret(limit: 5))
        for shown in [proof, .secret(right)] {
            await #expect(throws: KeyVaultError.wrongUse) { try await sign(open, shown) }
        }
        for shown in [proof, .none] {
            await #expect(throws: KeyVaultError.wrongUse) { try await sign(secret, shown) }
            await #expect(throws: KeyVaultError.wrongUse) { try await sign(counted, shown) }
        }
        #expect(try await vault.attempts(of: counted) == KeyAttempts(failures: 0, limit: 5))
        await #expect(throws: KeyVaultError.wrongUse) { try await vault.verify(right, of: open) }
        await #expect(throws: KeyVaultError.unknownKey) { try await vault.verify(right, of: .fresh()) }
        await #expect(throws: KeyVaultError.unknownKey) { try await vault.attempts(of: .fresh()) }
    }

    @Test("A key behind a gate is used with a proof for that gate and with no other")
    func gate() async throws {
        let key = try await vault.createKey(KeyRequirements(authorization: .userPresence(.biometryCurrentSet)))
        try await sign(key, .userPresence(UserPresenceProof(gate: .biometryCurrentSet)))
        for shown in [
            KeyAuthorization.none, .secret(right), .userPresence(UserPresenceProof(gate: .biometryAny)),
            .userPresence(UserPresenceProof(gate: .userPresence)),
        ] {
            await #expect(throws: KeyVaultError.userPresence(.mismatch)) { try await sign(key, shown) }
        }
    }

    @Test("A key is made with a secret where one is asked for, and without one elsewhere")
    func creation() async throws {
        for authorization in [KeyRequirements.Authorization.secret, .countedSecret(limit: 1)] {
            await #expect(throws: KeyVaultError.wrongUse) {
                try await vault.createKey(KeyRequirements(authorization: authorization))
            }
        }
        for authorization in [KeyRequirements.Authorization.open, .userPresence(.devicePasscode)] {
            await #expect(throws: KeyVaultError.wrongUse) { try await makeKey(authorization) }
        }
        await #expect(throws: KeyVaultError.unsupportedRequirements) { try await makeKey(.countedSecret(limit: 0)) }
        #expect(try folder.names(in: "vault/keys").isEmpty)
    }

    // MARK: - Counting

    @Test("At the limit even the right secret is refused, for good", arguments: [1, 2, 5, 255] as [UInt8])
    func limit(limit: UInt8) async throws {
        let key = try await makeKey(.countedSecret(limit: limit))
        for failures in 1...limit {
            await #expect(throws: KeyVaultError.wrongSecret) { try await sign(key, .secret(wrong)) }
            #expect(try await vault.attempts(of: key) == KeyAttempts(failures: failures, limit: limit))
        }
        let again = try await SoftwareKeyVault.open(inDirectory: folder.path + "/vault")
        for secret in [right, wrong] {
            await #expect(throws: KeyVaultError.lockedOut) { try await sign(key, .secret(secret)) }
            await #expect(throws: KeyVaultError.lockedOut) { try await again.verify(secret, of: key) }
            await #expect(throws: KeyVaultError.lockedOut) {
                try await again.changeSecret(of: key, from: secret, to: right)
            }
        }
        #expect(try await vault.attempts(of: key)?.isExhausted == true)
    }

    @Test("A right secret sets the count back, whether it came with a use, a trial or a change")
    func success() async throws {
        let key = try await makeKey(.countedSecret(limit: 5))
        let uses: [() async throws -> Void] = [
            { try await sign(key, .secret(right)) }, { try await vault.verify(right, of: key) },
            { try await vault.changeSecret(of: key, from: right, to: right) },
        ]
        for use in uses {
            for _ in 0..<4 { _ = try? await vault.verify(wrong, of: key) }
            #expect(try await vault.attempts(of: key)?.failures == 4)
            try await use()
            #expect(try await vault.attempts(of: key)?.failures == 0)
        }
    }

    @Test("After a change the new secret is right and the old one wrong; the key is the same")
    func change() async throws {
        let key = try await makeKey(.countedSecret(limit: 5))
        let publicKey = try await vault.publicKey(of: key)
        let new = VaultSecret.random()
        await #expect(throws: KeyVaultError.wrongSecret) {
            try await vault.changeSecret(of: key, from: wrong, to: new)
        }
        #expect(try await vault.attempts(of: key)?.failures == 1)
        try await vault.changeSecret(of: key, from: right, to: new)
        await #expect(throws: KeyVaultError.wrongSecret) { try await sign(key, .secret(right)) }
        try await sign(key, .secret(new))
        #expect(try await vault.publicKey(of: key) == publicKey)
    }

    @Test("Of many wrong secrets at once, through two vaults, exactly the limit is tried")
    func concurrency() async throws {
        let key = try await makeKey(.countedSecret(limit: 20))
        let other = try await SoftwareKeyVault.open(inDirectory: folder.path + "/vault")
        let answers = await withTaskGroup(of: KeyVaultError?.self) { group in
            for index in 0..<40 {
                group.addTask { [vault, wrong] in
                    do throws(KeyVaultError) {
                        try await (index.isMultiple(of: 2) ? vault : other).verify(wrong, of: key)
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            return await group.reduce(into: [KeyVaultError?]()) { $0.append($1) }
        }
        #expect(answers.count { $0 == .wrongSecret } == 20)
        #expect(answers.count { $0 == .lockedOut } == 20)
    }

    @Test("An older copy of a key's file gives the attempts back: the statement says so")
    func rollback() async throws {
        let key = try await makeKey(.countedSecret(limit: 1))
        let name = "vault/keys/" + (try #require(try folder.names(in: "vault/keys").first))
        let old = try folder.bytes(of: name)
        await #expect(throws: KeyVaultError.wrongSecret) { try await sign(key, .secret(wrong)) }
        await #expect(throws: KeyVaultError.lockedOut) { try await sign(key, .secret(right)) }
        try folder.overwrite(name, with: old)
        try await sign(key, .secret(right))
    }

    @discardableResult
    private func sign(_ key: KeyReference, _ shown: KeyAuthorization) async throws -> [UInt8] {
        try await vault.sign([1, 2, 3], with: key, authorizedBy: shown)
    }

    @discardableResult
    private func makeKey(_ authorization: KeyRequirements.Authorization) async throws -> KeyReference {
        try await vault.createKey(KeyRequirements(authorization: authorization), authorizedBy: right)
    }
}
