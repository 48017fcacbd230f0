import HardwareKeys
import TestSupport
import Testing

@Suite("A crash costs an attempt and never gives one (software vault)")
struct AttemptCrashTests {
    private let folder: TemporaryFolder
    private let path: String
    private let right = VaultSecret.random()
    private let wrong = VaultSecret.random()

    init() async throws {
        folder = try TemporaryFolder()
        path = folder.path + "/vault"
        _ = try await SoftwareKeyVault.create(inDirectory: path)
    }

    @Test(
        "A crash at any file operation of a wrong try never lowers the count",
        arguments: FaultyFileSystem.Moment.allCases)
    func wrongTry(moment: FaultyFileSystem.Moment) async throws {
        for operation in 0..<200 {
            let key = try await makeKey(failures: 1)
            let fileSystem = FaultyFileSystem(dyingAt: operation, moment)
            let answer = await attempt { try await open(on: fileSystem).verify(wrong, of: key) }
            let failures = try await failures(of: key)
            #expect(failures >= 1 && failures <= 2)
            // What the caller was told as counted is counted.
            if answer == .wrongSecret { #expect(failures == 2) }
            guard fileSystem.isDead else { return }
        }
        Issue.record("the operations did not end")
    }

    @Test(
        "A crash at any file operation of a right try costs at most that attempt",
        arguments: FaultyFileSystem.Moment.allCases)
    func rightTry(moment: FaultyFileSystem.Moment) async throws {
        for operation in 0..<200 {
            let key = try await makeKey(failures: 2)
            let fileSystem = FaultyFileSystem(dyingAt: operation, moment)
            let answer = await attempt { try await open(on: fileSystem).verify(right, of: key) }
            let failures = try await failures(of: key)
            #expect([0, 2, 3].contains(failures))
            // No success is lost: what was answered with yes has set the count back.
            if answer == nil { #expect(failures == 0) }
            try await open().verify(right, of: key)
            guard fileSystem.isDead else { return }
        }
        Issue.record("the operations did not end")
    }

    @Test("The last try before the lock is counted before it is made", arguments: FaultyFileSystem.Moment.allCases)
    func lastTry(moment: FaultyFileSystem.Moment) async throws {
        for operation in 0..<200 {
            let key = try await makeKey(failures: 4)
            let fileSystem = FaultyFileSystem(dyingAt: operation, moment)
            _ = await attempt { try await open(on: fileSystem).verify(wrong, of: key) }
            let locked = try await failures(of: key) == 5
            let after = await attempt { try await open().verify(right, of: key) }
            #expect(after == (locked ? .lockedOut : nil))
            guard fileSystem.isDead else { return }
        }
        Issue.record("the operations did not end")
    }

    @Test(
        "After a crash at any file operation of a change either secret opens",
        arguments: FaultyFileSystem.Moment.allCases)
    func change(moment: FaultyFileSystem.Moment) async throws {
        for operation in 0..<200 {
            let key = try await makeKey(failures: 2)
            let new = VaultSecret.random()
            let fileSystem = FaultyFileSystem(dyingAt: operation, moment)
            let answer = await attempt { try await open(on: fileSystem).changeSecret(of: key, from: right, to: new) }
            let opensWithNew = await attempt { try await open().verify(new, of: key) } == nil
            let opensWithOld = await attempt { try await open().verify(right, of: key) } == nil
            #expect(opensWithNew != opensWithOld)
            if answer == nil { #expect(opensWithNew) }
            guard fileSystem.isDead else { return }
        }
        Issue.record("the operations did not end")
    }

    @Test("A crash while a key is made or deleted leaves it whole or gone, and deleting it again leaves nothing")
    func creationAndDeletion() async throws {
        for moment in FaultyFileSystem.Moment.allCases {
            for operation in 0..<200 {
                let fileSystem = FaultyFileSystem(dyingAt: operation, moment)
                let key = KeyReference.fresh()
                _ = await attempt {
                    let vault = try await open(on: fileSystem)
                    try await vault.createKey(
                        KeyRequirements(authorization: .countedSecret(limit: 5)), named: key, authorizedBy: right)
                    try await vault.deleteKey(key)
                }
                let answer = await attempt { try await open().verify(right, of: key) }
                #expect(answer == nil || answer == .unknownKey)
                try await open().deleteKey(key)
                #expect(try folder.names(in: "vault/keys").isEmpty)
                guard fileSystem.isDead else { break }
            }
        }
    }

    private func makeKey(failures: Int) async throws -> KeyReference {
        let vault = try await open()
        let key = try await vault.createKey(
            KeyRequirements(authorization: .countedSecret(limit: 5)), authorizedBy: right)
        for _ in 0..<failures { _ = try? await vault.verify(wrong, of: key) }
        return key
    }

    private func failures(of key: KeyReference) async throws -> UInt8 {
        try #require(try await open().attempts(of: key)).failures
    }

    private func open(on fileSystem: any FileSystem = PosixFileSystem()) async throws(KeyVaultError) -> SoftwareKeyVault
    {
        try await SoftwareKeyVault.open(inDirectory: path, of: fileSystem)
    }

    /// Runs a step that may die; nil when it went through.
    private func attempt(_ step: () async throws -> Void) async -> KeyVaultError? {
        do {
            try await step()
            return nil
        } catch let error as KeyVaultError {
            return error
        } catch {
            Issue.record(error)
            return nil
        }
    }
}
