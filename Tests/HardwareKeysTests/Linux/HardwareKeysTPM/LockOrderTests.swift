import HardwareKeys
import HardwareKeysTPM
import Synchronization
import TestSupport
import Testing

@Suite(
    "D-M5: the lock of a vault comes before the turn at the chip, and the register of the account last",
    ChipFixture.requirement)
struct LockOrderTests {
    /// Notes which locks are taken while which others are held.
    private final class WatchedFileSystem: FileSystem {
        private let sound = PosixFileSystem()
        private let state = Mutex<(held: [String], pairs: Set<String>, turns: Int)>(([], [], 0))

        /// Each as `HELD>TAKEN`.
        var pairs: Set<String> { state.withLock { $0.pairs } }
        /// How often a process had the turn at the chip.
        var turns: Int { state.withLock { $0.turns } }

        func tryLock(_ path: String) throws(FileSystemError) -> FileLock? {
            let parts = path.split(separator: "/").suffix(2)
            let name = parts.first == "account" ? "register" : String(parts.last ?? "")
            guard let lock = try sound.tryLock(path) else { return nil }
            state.withLock { state in
                for held in state.held { state.pairs.insert("\(held)>\(name)") }
                state.held.append(name)
                if name == "turn" { state.turns += 1 }
            }
            return FileLock { [self] in
                state.withLock { state in
                    if let position = state.held.lastIndex(of: name) { state.held.remove(at: position) }
                }
                lock.release()
            }
        }

        func makeDirectory(_ path: String) throws(FileSystemError) { try sound.makeDirectory(path) }
        func read(_ path: String, atMost limit: Int) throws(FileSystemError) -> [UInt8] {
            try sound.read(path, atMost: limit)
        }
        func appendFile(_ path: String) throws(FileSystemError) -> any NewFile { try sound.appendFile(path) }
        func names(in directory: String) throws(FileSystemError) -> [String] { try sound.names(in: directory) }
        func makeFile(_ path: String) throws(FileSystemError) -> any NewFile { try sound.makeFile(path) }
        func rename(_ path: String, to newPath: String) throws(FileSystemError) {
            try sound.rename(path, to: newPath)
        }
        func remove(_ path: String) throws(FileSystemError) { try sound.remove(path) }
        func synchronizeDirectory(_ path: String) throws(FileSystemError) { try sound.synchronizeDirectory(path) }
    }

    @Test("D-M5: making, opening after a crash, using and destroying take the locks in one order")
    func order() async throws {
        let chip = try SoftwareTPM()
        let folder = try TemporaryFolder()
        let secret = VaultSecret.repeating(1)
        let watched = WatchedFileSystem()
        _ = try await TPMKeyVault.create(inDirectory: folder.path, connection: chip.connection, of: watched)
        // A disk that dies late in the making of a key leaves a journal behind.
        var operation = 3
        while try !folder.names().contains("journal") {
            let disk = FaultyFileSystem(dyingAt: operation, .before)
            let dying = try? await TPMKeyVault.open(
                inDirectory: folder.path, connection: chip.connection, of: disk)
            _ = try? await dying?.createKey(
                KeyRequirements(authorization: .countedSecret(limit: 5)), authorizedBy: secret)
            operation += 1
        }
        let vault = try await TPMKeyVault.open(inDirectory: folder.path, connection: chip.connection, of: watched)
        #expect(try !folder.names().contains("journal"))
        let key = try await vault.createKey(
            KeyRequirements(authorization: .countedSecret(limit: 5)), authorizedBy: secret)
        try await vault.changeSecret(of: key, from: secret, to: VaultSecret.repeating(2))
        let turns = watched.turns
        _ = try await vault.trustedTime()
        #expect(watched.turns == turns + 1, "not every chip keeps its users apart")
        try await vault.deleteKey(key)
        try await TPMKeyVault.destroy(inDirectory: folder.path, connection: chip.connection, of: watched)
        #expect(watched.pairs == ["lock>turn", "lock>register", "turn>register"])
    }

    @Test("D-M5: many users of one vault at the same time all come through")
    func many() async throws {
        let fixture = try await ChipFixture()
        let secret = VaultSecret.repeating(1)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<3 {
                        let vault = try await fixture.reopened()
                        let key = try await vault.createKey(
                            KeyRequirements(authorization: .countedSecret(limit: 5)), authorizedBy: secret)
                        _ = try await vault.trustedTime()
                        try await vault.deleteKey(key)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try fixture.chip.indices().count == 1)
    }
}
