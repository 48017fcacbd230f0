import CommandSupport
import Foundation
import ServerCommandSupport
import ServerConfiguration
import ServerCore
import ServerPersistence
import StrictYAML
import TestSupport
import Testing
import UAF
import UAFService

@testable import ServerCommands

@Suite("A backup is whole, and a restore ends what was given out")
struct BackupFileTests {
    private let folder: TestSupport.TemporaryFolder
    private let deployment: Deployment
    private let now = Timestamp(seconds: 1_700_000_000)

    init() async throws {
        folder = try TestSupport.TemporaryFolder()
        deployment = try Self.deployment(folder, "data")
        let installation = try await Self.open(deployment)
        _ = try await installation.services.users.add(name: "anna")
        try installation.close()
    }

    private static func deployment(_ folder: TestSupport.TemporaryFolder, _ data: String) throws -> Deployment {
        try ConfigurationReader.read(
            ConfigurationSource(
                fileName: nil, text: "data-directory: \(data)\n", folder: folder.path, environment: [:],
                files: PosixFiles()))
    }

    private static func open(_ deployment: Deployment) async throws -> ServerInstallation {
        try await ServerInstallation.open(
            deployment, origin: "https://localhost:8443", logger: ServerLog.quiet, by: .server(ProcessPorts()))
    }

    private var backup: BackupFile { BackupFile(path: folder.path + "/backup") }

    private func refusal(_ body: () async throws -> Void) async -> String? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? CommandFailure)?.code ?? "\(error)"
        }
    }

    @Test("It is for its owner only, holds what was committed last, and is not written over")
    func written() async throws {
        let running = try await Self.open(deployment)
        _ = try await running.services.users.add(name: "ben")
        let summary = try await backup.write(of: deployment.database.place, isReplacing: false, at: now)
        #expect(summary.counts.users == 2 && summary.statement.createdAt == now)
        #expect(PosixFiles().permissions(of: backup.path) == 0o600)
        #expect(try await backup.verify() == summary)
        #expect(
            await refusal { _ = try await backup.write(of: deployment.database.place, isReplacing: false, at: now) }
                == "backupExists")
        _ = try await backup.write(of: deployment.database.place, isReplacing: true, at: now)
        try running.close()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.sorted() == ["backup", "data"], "nothing is left beside it")
    }

    @Test("What a killed process has left of a backup is not in the next one")
    func leftOver() async throws {
        try PosixFiles().write([UInt8](repeating: 7, count: 9_000), to: backup.path + ".part", mode: 0o600)
        try PosixFiles().write([UInt8](repeating: 7, count: 900), to: backup.path + ".part-journal", mode: 0o600)
        _ = try await backup.write(of: deployment.database.place, isReplacing: false, at: now)
        #expect(try await backup.verify().counts.users == 1)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.sorted() == ["backup", "data"])
    }

    @Test("A bit that was changed anywhere in it is found, or changes nothing that it holds", arguments: 0..<12)
    func changed(part: Int) async throws {
        let whole = try await backup.write(of: deployment.database.place, isReplacing: false, at: now)
        var bytes = try #require(PosixFiles().contents(of: backup.path))
        bytes[min(bytes.count - 1, 200 + part * bytes.count / 12)] ^= 1
        try PosixFiles().write(bytes, to: backup.path, mode: 0o600)
        do {
            let found = try await backup.verify()
            #expect(found.statement.content == whole.statement.content && found.hash != whole.hash)
        } catch let error as CommandFailure {
            #expect(["backupDamaged", "databaseUnusable", "backupUnknown"].contains(error.code), "\(error.message)")
        }
    }

    @Test("A row that was changed in it is found")
    func changedRow() async throws {
        _ = try await backup.write(of: deployment.database.place, isReplacing: false, at: now)
        let database = try ServerDatabase(.sqlite(file: backup.path), instanceName: "change")
        try await database.tables.transaction { connection throws(ServerPersistenceError) in
            _ = try connection.execute("UPDATE users SET status = 'locked'", [])
        }
        try database.close()
        #expect(await refusal { _ = try await backup.verify() } == "backupDamaged")
        let plain = BackupFile(path: deployment.database.place)
        #expect(await refusal { _ = try await plain.verify() } == "backupDamaged", "a database is no backup")
    }

    @Test("It is restored where no database is, with the master key or without it, and a server starts on it")
    func restored() async throws {
        let before = try await backup.write(of: deployment.database.place, isReplacing: false, at: now)
        #expect(
            await refusal { _ = try await RestoredDatabase(deployment, isMasterKeyLost: false).restore(backup) }
                == "databaseExists")
        let target = try Self.deployment(folder, "other")
        let restore = RestoredDatabase(target, isMasterKeyLost: false)
        #expect(await refusal { _ = try await restore.restore(backup) } == "masterKeyLost")
        try PosixFiles().write([UInt8](repeating: 9, count: 32), to: target.masterKeyFile, mode: 0o600)
        #expect(await refusal { _ = try await restore.restore(backup) } == "wrongMasterKey")
        #expect(!PosixFiles().exists(target.database.place), "a restore that fails leaves nothing")
        try FileManager.default.removeItem(atPath: target.masterKeyFile)
        try FileManager.default.copyItem(atPath: deployment.masterKeyFile, toPath: target.masterKeyFile)
        let counts = try await restore.restore(backup)
        #expect(counts.users == before.counts.users)
        let installation = try await Self.open(target)
        #expect(try await installation.services.users.list().map(\.name.text) == ["anna"])
        try installation.close()
        let lost = try Self.deployment(folder, "third")
        _ = try await RestoredDatabase(lost, isMasterKeyLost: true).restore(backup)
        try await Self.open(lost).close()
    }
}
