import CommandSupport
import Foundation
import ServerCommandSupport
import ServerConfiguration
import StrictYAML
import TestSupport
import Testing

@testable import ServerCommands

@Suite("Lease and master key of an installation")
struct InstanceLeaseTests {
    private func deployment(_ folder: TestSupport.TemporaryFolder) throws -> Deployment {
        try ConfigurationReader.read(
            ConfigurationSource(
                fileName: nil, text: "data-directory: data\n", folder: folder.path, environment: [:],
                files: PosixFiles()))
    }

    private func open(_ deployment: Deployment, isMasterKeyLost: Bool = false) async throws {
        try await ServerInstallation.open(
            deployment, origin: "https://localhost:8443", isMasterKeyLost: isMasterKeyLost, logger: ServerLog.quiet
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

    @Test("O-H4: a second server of the same name on the same database is refused while the first one lives")
    func second() async throws {
        let folder = try TestSupport.TemporaryFolder()
        let database = folder.path + "/signet.sqlite"
        let first = try await InstanceLease.take("main", on: database, isTakingOver: false, patience: .zero)
        let refused = await failure {
            try await InstanceLease.take("main", on: database, isTakingOver: false, patience: .zero).release()
        }
        #expect(refused?.code == "instanceInUse")
        let other = try await InstanceLease.take("other", on: database, isTakingOver: false, patience: .zero)
        other.release()
        first.release()
        try await InstanceLease.take("main", on: database, isTakingOver: false, patience: .zero).release()
    }

    @Test("O-H4: a successor that takes over waits until the first server has gone")
    func takeOver() async throws {
        let folder = try TestSupport.TemporaryFolder()
        let database = folder.path + "/signet.sqlite"
        let first = try await InstanceLease.take("main", on: database, isTakingOver: false, patience: .zero)
        async let successor = InstanceLease.take("main", on: database, isTakingOver: true, patience: .seconds(60))
        await first.handoverAsked()
        first.release()
        try await successor.release()
        let next = try await InstanceLease.take("main", on: database, isTakingOver: false, patience: .zero)
        let watch = Task { await next.handoverAsked() }
        watch.cancel()
        await watch.value
        next.release()
    }
}
