import CommandSupport
import Foundation
import ServerCommandSupport
import ServerConfiguration
import ServerCore
import ServerPersistence
import StrictYAML
import TestSupport
import Testing

@testable import ServerCommands

@Suite("Lease and master key of an installation")
struct InstanceLeaseTests {
    private func deployment(_ folder: TestSupport.TemporaryFolder, _ settings: String = "") throws -> Deployment {
        try ConfigurationReader.read(
            ConfigurationSource(
                fileName: nil, text: "data-directory: data\n" + settings, folder: folder.path, environment: [:],
                files: PosixFiles()))
    }

    private func open(
        _ deployment: Deployment, isMasterKeyLost: Bool = false, by opener: ServerInstallation.Opener = .command(nil)
    ) async throws {
        try await ServerInstallation.open(
            deployment, origin: "https://localhost:8443", isMasterKeyLost: isMasterKeyLost, logger: ServerLog.quiet,
            by: opener
        ).close()
    }

    private func failure(_ body: () async throws -> Void) async -> CommandFailure? {
        do {
            try await body()
            return nil
        } catch {
            return error as? CommandFailure
        }
    }

    @Test("O-H4: a lost master key is never made anew beside a database that holds wrapped keys")
    func lostMasterKey() async throws {
        let folder = try TestSupport.TemporaryFolder()
        let deployment = try deployment(folder)
        try await open(deployment)
        try await open(deployment)
        try FileManager.default.removeItem(atPath: deployment.masterKeyFile)
        let lost = await failure { try await open(deployment) }
        #expect(lost?.code == "masterKeyLost")
        for part in [deployment.masterKeyFile, deployment.database.place, "keys replace --lost-master-key"] {
            #expect(lost?.message.contains(part) == true)
        }
        #expect(!FileManager.default.fileExists(atPath: deployment.masterKeyFile))
        try PosixFiles().write([UInt8](repeating: 9, count: 32), to: deployment.masterKeyFile, mode: 0o600)
        let wrong = await failure { try await open(deployment) }
        #expect(wrong?.code == "wrongMasterKey" && wrong?.message.contains(deployment.database.place) == true)
        try FileManager.default.removeItem(atPath: deployment.masterKeyFile)
        try await open(deployment, isMasterKeyLost: true)
        try await open(deployment)
        #expect(deployment.masterKeyFile.hasPrefix(folder.path))
    }

    @Test("A lost master key is not replaced while a server of any machine reports to the database server")
    func runningElsewhere() async throws {
        let cluster = try PostgresCluster.ofProcess.get()
        let name = cluster.freshName()
        try cluster.createDatabase(name)
        let folder = try TestSupport.TemporaryFolder()
        let deployment = try deployment(
            folder,
            "database: {driver: postgresql, host: \(cluster.folder), port: \(cluster.port), name: \(name), user: signet}"
        )
        try await open(deployment)
        let database = try ServerDatabase(deployment.database, instanceName: "other")
        let clock = SQLStorage(on: database.tables, chainID: "other").ports.clock
        let (now, start) = (ServerClock(monotonic: SystemBootClock()).now(), Duration.seconds(5))
        let report = ProcessClock(instance: "other/1", wall: now, startID: "s", sinceStart: start)
        _ = try await clock.advance(report) { _, _ in ServerTimeRecord(time: now, startID: "s", sinceStart: start) }
        try FileManager.default.removeItem(atPath: deployment.masterKeyFile)
        let refused = await failure { try await open(deployment, isMasterKeyLost: true) }
        #expect(refused?.code == "databaseInUse" && refused?.message.contains("other/1") == true)
        #expect(!FileManager.default.fileExists(atPath: deployment.masterKeyFile))
        try await clock.forget("other/1")
        try await open(deployment, isMasterKeyLost: true)
        try await open(deployment)
        try PosixFiles().write([UInt8](repeating: 9, count: 32), to: deployment.masterKeyFile, mode: 0o600)
        let failed = await failure { try await open(deployment, by: .server(ProcessPorts())) }
        #expect(failed?.code == "wrongMasterKey")
        #expect(try await RunningServers.name(on: database.tables, at: now) == nil, "a start that failed runs nothing")
    }

    private func take(
        _ database: String, as instance: String = "main", isTakingOver: Bool = false, patience: Duration = .zero
    ) async throws -> InstanceLease {
        try await InstanceLease.take(instance, on: database, isTakingOver: isTakingOver, patience: patience)
    }

    @Test("Servers of one name share the lease")
    func shared() async throws {
        let folder = try TestSupport.TemporaryFolder()
        let database = folder.path + "/signet.sqlite"
        let leases = [try await take(database), try await take(database), try await take(database, as: "other")]
        for lease in leases { lease.release() }
    }

    @Test("A server waits for a lock that another process holds alone, and is refused when that takes too long")
    func heldAlone() async throws {
        let folder = try TestSupport.TemporaryFolder()
        let database = folder.path + "/signet.sqlite"
        let own = try await take(database)
        let file = try #require(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).first { $0.contains(".lease-") })
        let other = try #require(FileHandle(forUpdatingAtPath: folder.path + "/" + file))
        #expect(flock(other.fileDescriptor, LOCK_EX | LOCK_NB) != 0)
        own.release()
        #expect(flock(other.fileDescriptor, LOCK_EX | LOCK_NB) == 0)
        let refused = await failure { try await take(database).release() }
        #expect(refused?.code == "instanceInUse" && refused?.message.contains("main") == true)
        try await take(database, as: "other").release()
        try other.close()
        try await take(database).release()
    }

    @Test("O-H4: a successor that takes over waits until all servers of its name have gone")
    func takeOver() async throws {
        let folder = try TestSupport.TemporaryFolder()
        let database = folder.path + "/signet.sqlite"
        let (first, second) = (try await take(database), try await take(database))
        async let successor = take(database, isTakingOver: true, patience: .seconds(600))
        await first.handoverAsked()
        let refused = await failure { try await take(database).release() }
        #expect(refused?.code == "instanceInUse" && refused?.message.contains("handing over") == true)
        first.release()
        await second.handoverAsked()
        second.release()
        let lease = try await successor
        let next = try await take(database)
        let watch = Task { await next.handoverAsked() }
        watch.cancel()
        await watch.value
        next.release()
        lease.release()
    }

    @Test("O-H4: a successor gives up when the servers do not go; the request is withdrawn")
    func impatientSuccessor() async throws {
        let folder = try TestSupport.TemporaryFolder()
        let database = folder.path + "/signet.sqlite"
        let first = try await take(database)
        let refused = await failure {
            try await take(database, isTakingOver: true, patience: .milliseconds(300)).release()
        }
        #expect(refused?.code == "instanceInUse" && refused?.message.contains("still runs") == true)
        try await take(database).release()
        first.release()
    }

    @Test("A request that a killed successor has left is of no effect once no process holds the lease")
    func staleRequest() async throws {
        let folder = try TestSupport.TemporaryFolder()
        let database = folder.path + "/signet.sqlite"
        try await take(database).release()
        let file = try #require(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).first { $0.contains(".lease-") })
        try Data("handover\n".utf8).write(to: URL(filePath: folder.path + "/" + file))
        let first = try await take(database)
        try await take(database).release()
        first.release()
    }

    @Test("A command that has to be alone is refused beside a server of any name, and servers beside it")
    func exclusiveCommand() async throws {
        let folder = try TestSupport.TemporaryFolder()
        let database = folder.path + "/signet.sqlite"
        let servers = [try DatabaseLease.shared(on: database), try DatabaseLease.shared(on: database)]
        let early = await failure { try DatabaseLease.exclusive(on: database).release() }
        #expect(early?.code == "databaseInUse" && early?.message.contains("stop all servers") == true)
        servers[0].release()
        #expect(await failure { try DatabaseLease.exclusive(on: database).release() }?.code == "databaseInUse")
        servers[1].release()
        let alone = try DatabaseLease.exclusive(on: database)
        #expect(await failure { try DatabaseLease.shared(on: database).release() }?.code == "databaseInUse")
        #expect(await failure { try DatabaseLease.exclusive(on: database).release() }?.code == "databaseInUse")
        alone.release()
        try DatabaseLease.shared(on: database).release()
    }
}
