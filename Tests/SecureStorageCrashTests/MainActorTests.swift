import HardwareKeys
import SecureStorage
import Synchronization
import TestSupport
import Testing

@Suite("D-M4: storage, vault and derivation leave the actor of their caller")
@MainActor
struct MainActorTests {
    private let folder: TemporaryFolder
    private let heart = Heartbeat()
    private var configuration: SecureStorage.Configuration

    init() throws {
        folder = try TemporaryFolder()
        configuration = SecureStorage.Configuration(hardware: .none, directory: folder.path + "/d")
    }

    private func open() async throws -> SecureStorage {
        try await SecureStorage.createSecureStorage(
            fileName: "store", fingerprint: nil, configuration: configuration)
    }

    @Test("D-M4: the main actor runs on while another process holds the lock of a storage that it writes")
    func storageLock() async throws {
        let storage = try await open()
        try storage.putString("value", forKey: "key")
        let holder = try ChildStorage("lock", folder.path + "/d/store.lock")
        holder.waitForWord()
        // Who holds the lock ends only after the main actor has come back often enough.
        try await heart.beating(
            doing: { _ = try? holder.kill() },
            while: {
                try await storage.write()
                try await storage.update { draft throws(SecureStorageError) in try draft.putString("b", forKey: "b") }
            })
        #expect(heart.count >= Heartbeat.enough)
        #expect(try await open().getString(forKey: "b") == "b")
    }

    @Test("D-M4: the main actor runs on while another process holds the lock of a vault in which it makes a key")
    func vaultLock() async throws {
        let vault = try await SoftwareKeyVault.create(inDirectory: folder.path + "/v")
        let holder = try ChildStorage("lock", folder.path + "/v/lock")
        holder.waitForWord()
        let key = try await heart.beating(
            doing: { _ = try? holder.kill() },
            while: {
                try await vault.createKey(
                    KeyRequirements(authorization: .countedSecret(limit: 5)), authorizedBy: .random())
            })
        #expect(heart.count >= Heartbeat.enough)
        #expect(try await vault.attempts(of: key)?.failures == 0)
    }

    /// A derivation that comes to an end only when the main actor goes on meanwhile.
    private struct PatientDerivation: SecureStorage.Argon2Function {
        let heart: Heartbeat

        func argon2id(
            of passphrase: SecureStorage.Passphrase, salt: [UInt8], memoryKibibytes: UInt32, passes: UInt32,
            lanes: UInt32
        ) -> VaultSecret? {
            heart.isFeltHere() ? VaultSecret(copying: salt) : nil
        }
    }

    @Test("D-M4: the main actor runs on while a key is derived from a passphrase")
    func derivation() async throws {
        var derived = configuration
        derived.kdf = .argon2id(memoryKibibytes: 8_192, passes: 1, lanes: 1)
        derived.argon2 = PatientDerivation(heart: heart)
        derived.passphrase = SecureStorage.Passphrase(copying: Array("open sesame".utf8))
        try await heart.beating {
            let storage = try await SecureStorage.createSecureStorage(
                fileName: "derived", fingerprint: nil, configuration: derived)
            try await storage.write()
            storage.unload()
            try await storage.load(passphrase: derived.passphrase)
            try await storage.write(protection: .none)
        }
        #expect(heart.count >= 3 * Heartbeat.enough)
    }

    /// A disk whose every reading takes until the main actor has come back.
    private final class PatientDisk: FileSystem {
        let stalls = Mutex(0)
        private let heart: Heartbeat
        private let sound = MemoryFileSystem()

        init(heart: Heartbeat) {
            self.heart = heart
        }

        func read(_ path: String, atMost limit: Int) throws(FileSystemError) -> [UInt8] {
            if !heart.isFeltHere() { stalls.withLock { $0 += 1 } }
            return try sound.read(path, atMost: limit)
        }

        func makeDirectory(_ path: String) throws(FileSystemError) { try sound.makeDirectory(path) }
        func appendFile(_ path: String) throws(FileSystemError) -> any NewFile { try sound.appendFile(path) }
        func names(in directory: String) throws(FileSystemError) -> [String] { try sound.names(in: directory) }
        func makeFile(_ path: String) throws(FileSystemError) -> any NewFile { try sound.makeFile(path) }
        func rename(_ path: String, to newPath: String) throws(FileSystemError) {
            try sound.rename(path, to: newPath)
        }
        func remove(_ path: String) throws(FileSystemError) { try sound.remove(path) }
        func synchronizeDirectory(_ path: String) throws(FileSystemError) {}
        func tryLock(_ path: String) throws(FileSystemError) -> FileLock? { try sound.tryLock(path) }
    }

    @Test("D-M4: the main actor runs on while a vault is made and opened and works with keys on a slow disk")
    func vault() async throws {
        let disk = PatientDisk(heart: heart)
        let secret = VaultSecret.random()
        try await heart.beating {
            let vault = try await SoftwareKeyVault.create(inDirectory: "v", of: disk)
            let key = try await vault.createKey(KeyRequirements(authorization: .secret), authorizedBy: secret)
            try await vault.verify(secret, of: key)
            try await vault.changeSecret(of: key, from: secret, to: secret)
            _ = try await vault.sign([1], with: key, authorizedBy: .secret(secret))
            let again = try await SoftwareKeyVault.open(inDirectory: "v", of: disk)
            _ = try await again.publicKey(of: key)
            _ = try await again.attempts(of: key)
        }
        #expect(disk.stalls.withLock { $0 } == 0)
    }
}

@Suite("D-M4: who waits for a lock leaves the threads of the pool to its holder", .serialized)
struct LockWaitTests {
    @Test("D-M4: more tasks than threads wait for a lock, and its holder still comes to give it back")
    func crowd() async throws {
        let folder = try TemporaryFolder()
        let disk = PosixFileSystem()
        let path = folder.path + "/lock"
        let held = try await disk.lock(path)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<64 { group.addTask { try await disk.lock(path).release() } }
            group.addTask {
                for _ in 0..<3 { await Task.yield() }
                held.release()
            }
            try await group.waitForAll()
        }
    }

    @Test("D-M4: a cancelled task still waits for its turn, because it may have to clean up")
    func cancelled() async throws {
        let folder = try TemporaryFolder()
        let disk = PosixFileSystem()
        let held = try await disk.lock(folder.path + "/lock")
        let waiting = Task { try await disk.lock(folder.path + "/lock").release() }
        waiting.cancel()
        let child = Task { held.release() }
        try await waiting.value
        await child.value
    }
}
