import HardwareKeys
import HardwareKeysTPM
import SecureStorage
import TestSupport
import Testing

@Suite(
    "6.4.5: a process that writes a storage anchored in a TPM is killed between data file, ledger and counter",
    .serialized, .enabled(if: SoftwareTPM.isInstalled, Comment(rawValue: SoftwareTPM.absence)))
struct ChipCrashTests {
    private let folder: TemporaryFolder
    private let chip: SoftwareTPM
    private let stage: StorageStage

    init() async throws {
        folder = try TemporaryFolder()
        chip = try SoftwareTPM()
        let vault = try await TPMKeyVault.create(inDirectory: folder.path + "/chip", connection: chip.connection)
        stage = StorageStage(folder.path + "/d", on: PosixFileSystem(), vault: vault, isAnchored: true)
    }

    private func child(dyingAtCall call: Int? = nil) throws -> ChildStorage {
        try ChildStorage("anchored", folder.path, call.map(String.init) ?? "never", chip.connectionName)
    }

    @Test("Killed at any moment, it leaves a whole state at or after the last one it acknowledged")
    func killed() async throws {
        var dice = SeededGenerator(seed: TestSize.seed)
        var last = 0
        for round in 0..<TestSize.chipKills {
            let child = try child()
            child.waitForWord()
            try await Task.sleep(for: .microseconds(Int.random(in: 0...60_000, using: &dice)))
            let acknowledged = try child.kill().last ?? last
            try chip.flushLeftovers()
            let found = try await stage.content()?.number ?? 0
            let context = "round \(round) of seed \(TestSize.seed): \(found) after \(acknowledged) and \(last)"
            #expect(found >= acknowledged && found <= acknowledged + 1, Comment(rawValue: context))
            last = found
        }
        try await stage.write(last + 1)
        let found = try await stage.content()?.number
        #expect(found == last + 1)
        #expect(try chip.leftovers().isEmpty)
    }

    @Test(
        "Killed before any call to the file system of a commit; the states before the ledger's are refused afterwards")
    func killedInTheWindow() async throws {
        try await stage.write(1)
        var states: [[String: [UInt8]]] = []
        var halves = 0
        for call in 0..<TestSize.chipCalls {
            let before = try files()
            let child = try child(dyingAtCall: call)
            let acknowledged = try child.numbers().last ?? 0
            try chip.flushLeftovers()
            #expect(!child.isSuccess)
            let after = try files()
            if after["store.sst"] != before["store.sst"], after[".ledger.sst"] == before[".ledger.sst"] { halves += 1 }
            let found = try #require(try await stage.content()).number
            #expect(found >= acknowledged && found <= acknowledged + 1, "\(found) after \(acknowledged), call \(call)")
            if states.last != after { states.append(after) }
        }
        #expect(halves > 0, "no process died between data file and ledger")
        let newest = try files()
        for state in states where state["store.sst"] != newest["store.sst"] {
            try put(state)
            await #expect(throws: SecureStorageError.rollbackDetected) { try await stage.content() }
        }
        try put(newest)
        #expect(try await stage.content() != nil)
    }

    private func files() throws -> [String: [UInt8]] {
        Dictionary(
            uniqueKeysWithValues: try ["store.sst", ".ledger.sst"].map { ($0, try folder.bytes(of: "d/" + $0)) })
    }

    private func put(_ files: [String: [UInt8]]) throws {
        for (name, bytes) in files { try folder.overwrite("d/" + name, with: bytes) }
    }
}
