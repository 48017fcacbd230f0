import ArgumentParser
import BackendAPI
import CommandSupport
import Foundation
import Logging
import OpenID
import ServerCommandSupport
import ServerConfiguration
import ServerCore
import ServerHTTP
import StrictYAML
import Synchronization
import TestSupport
import Testing
import UAF
import UAFService

@testable import ServerCommands

/// Each finding: none in the honest case, exactly this one when something is wrong, none when it is right again.
@Suite("Findings about an installation")
struct FindingTests {
    private let folder: TestSupport.TemporaryFolder
    private let stage: AdministrationStage

    init() async throws {
        folder = try TestSupport.TemporaryFolder()
        stage = try await AdministrationStage()
    }

    private var file: ConfigurationFile { ConfigurationFile(path: folder.path + "/server.yml", dataDirectory: nil) }

    private func deployment(_ settings: String = "") throws -> Deployment {
        try write("data-directory: data\n" + settings, "server.yml")
        return try file.deployment()
    }

    private func write(_ text: String, _ name: String, mode: UInt16 = 0o600) throws {
        try PosixFiles().write(Array(text.utf8), to: folder.path + "/" + name, mode: mode)
    }

    // MARK: - Database, audit

    /// Findings after writes without trouble, when a look at the database ends with this error.
    private func findings(_ error: ServerError?) async -> [ServerFinding] {
        await FindingSource.database(trouble: nil) { () async throws(ServerError) in
            if let error { throw error }
        }
    }

    @Test("A database that answers is no finding, nor is one that has too much to do")
    func works() async {
        #expect(await findings(nil).isEmpty)
        #expect(await findings(.overloaded(retryAfter: .seconds(1))).isEmpty)
    }

    @Test("A database that does not answer is down, and so is one whose writes fail")
    func broken() async {
        #expect(await findings(.storageUnavailable) == [.down(.database, "the database does not answer")])
        let full = await FindingSource.database(trouble: "the disk is full") { () async throws(ServerError) in }
        #expect(full == [.down(.database, "the disk is full")])
    }

    @Test("A damaged record of the audit is a warning that names it (SA-19)")
    func audit() async {
        let damage = AuditDamage(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let source = FindingSource.audit(damage)
        #expect(await source.look().isEmpty)
        for _ in 1...2 { damage.note("main at record 3: missing") }
        damage.note("main at records 5 to 7: missing")
        #expect(
            await source.look()
                == [.warning(.audit, "the audit was changed or is damaged: main at record 3: missing and 1 more")])
    }

    // MARK: - Files and the machine

    @Test("A key file that others can read, or that is gone, is a warning until it is right again")
    func keys() async throws {
        let path = folder.path + "/master.key"
        let source = FindingSource.keys(stage.services, file: path)
        try write("key", "master.key")
        #expect(await source.look().isEmpty)
        #expect(chmod(path, 0o644) == 0)
        #expect(await source.look() == [.warning(.keys, "\(path) can be read by others: the next start fails")])
        #expect(chmod(path, 0o600) == 0)
        #expect(await source.look().isEmpty)
        try FileManager.default.removeItem(atPath: path)
        #expect(await source.look().map(\.severity) == [.warning])
    }

    @Test("A disk is nearly full with 256 MiB left, or with a twentieth below 10 GiB; one disk is told once")
    func disk() async throws {
        let deployment = try deployment()
        let space = Mutex(DiskSpace(free: 300 << 20, total: 1 << 30))
        let source = FindingSource.disk(deployment) { _ in space.withLock { $0 } }
        #expect(await source.look().isEmpty)
        space.withLock { $0 = DiskSpace(free: 255 << 20, total: 1 << 30) }
        #expect(
            await source.look().map(\.text) == ["the disk of \(deployment.dataDirectory) has 255 MiB left of 1024 MiB"])
        space.withLock { $0 = DiskSpace(free: 9 << 30, total: 200 << 30) }
        #expect(await source.look().count == 1)
        space.withLock { $0 = DiskSpace(free: 11 << 30, total: 10_000 << 30) }
        #expect(await source.look().isEmpty)
        #expect(try #require(DiskSpace(at: folder.path)).total > 0)
    }

    @Test("Four fifths of the files that may be open are a warning")
    func descriptors() async {
        #expect(await FindingSource.descriptors { (open: 799, limit: 1_000) }.look().isEmpty)
        #expect(await FindingSource.descriptors { (open: 800, limit: 1_000) }.look().map(\.id) == ["descriptors"])
        #expect(await FindingSource.descriptors().look().isEmpty)
    }

    @Test("A certificate that ends and one that clients refuse are warnings; a new one is none")
    func certificates() async throws {
        func write(daysOld: Double) throws {
            let pair = try TestCertificate.pair(from: Date.now - daysOld * 86_400, days: 60)
            try self.write(pair.chain, "chain.pem")
            try self.write(pair.key, "key.pem")
        }
        try write(daysOld: 1)
        let deployment = try deployment("server: {tls: {certificate-file: chain.pem, private-key-file: key.pem}}\n")
        let source = FindingSource.certificates(deployment) { ServedCertificates.terms(inFilesOf: deployment) }
        let honest = await source.look()
        try write(daysOld: 50)
        let ending = await source.look().filter { !honest.contains($0) }
        #expect(
            ending.count == 1 && ending.first?.text.contains("listener, or one sent with it, ends in ") == true,
            "\(ending)")
        try write(daysOld: 1)
        #expect(await source.look() == honest)
        try self.write("nonsense", "chain.pem")
        #expect(await source.look().map(\.text) == ["\(folder.path)/chain.pem holds no readable certificate"])
    }

    @Test("A mistake in the files is down where no server runs, and a warning where one goes on; restarts are notes")
    func configuration() async throws {
        let running = try deployment()
        let (idle, serving) = (
            FindingSource.configuration(file, running: nil), FindingSource.configuration(file, running: running)
        )
        let honest = await serving.look()
        #expect(honest.allSatisfy { $0.severity < .down })
        try write("data-directory: data\nserver: {port: many}\n", "server.yml")
        #expect(await idle.look().map(\.severity) == [.down])
        #expect(await serving.look().map(\.severity) == [.warning])
        _ = try deployment("instance-name: other\n")
        #expect(
            await serving.look().filter { !honest.contains($0) } == [
                .note(.configuration, "instance-name waits for a restart")
            ])
        _ = try deployment()
        #expect(await serving.look() == honest)
    }

    // MARK: - Installation

    @Test("No backup is a note, a fresh one is no finding, one older than 8 days a warning")
    func backup() async throws {
        let deployment = try deployment()
        let now = Mutex(SystemWallClock().now())
        let source = FindingSource.backup(deployment) { now.withLock { $0 } }
        let opened = try await ServerInstallation.open(
            deployment, origin: deployment.origin, logger: ServerLog.quiet, by: .server(ProcessPorts()))
        try opened.close()
        #expect(await source.look().map(\.severity) == [.note])
        try await BackupWriteCommand.parse([
            folder.path + "/backup", "--config", folder.path + "/server.yml", "--format", "json",
        ]).run()
        #expect(await source.look().isEmpty)
        now.withLock { $0 = $0 + .seconds(9 * 86_400) }
        #expect(await source.look().map(\.severity) == [.warning])
    }

    @Test("A database that was put back is a finding, without a server that refuses to start on it")
    func restoredCopy() async throws {
        let deployment = try deployment()
        func serve() async throws {
            try await ServerInstallation.open(
                deployment, origin: deployment.origin, logger: ServerLog.quiet, by: .server(ProcessPorts())
            ).close()
        }
        func look() async throws -> [ServerFinding] {
            let database = try ServerDatabase(deployment.database, instanceName: "doctor")
            defer { try? database.close() }
            return await FindingSource.restoredCopy(DatabaseMarks(deployment, in: database.tables), isServed: false)
                .look()
        }
        let path = deployment.database.place
        try await serve()
        #expect(try await look().isEmpty)
        try FileManager.default.copyItem(atPath: path, toPath: path + ".old")
        try await serve()
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: path + ".old", toPath: path)
        let found = try await look()
        #expect(found.map(\.severity) == [.down] && found.first?.text.contains("was put back") == true, "\(found)")
        let database = try ServerDatabase(deployment.database, instanceName: "doctor")
        try await DatabaseMarks(deployment, in: database.tables).renew(at: SystemWallClock().now())
        try database.close()
        #expect(try await look().isEmpty)
    }

    @Test("Users whose models no policy takes are a warning with their share; a policy that takes them ends it")
    func policies() async throws {
        let statistics = KnownModels(users: [["F1D0#1001"], ["F1D0#1001"], ["F1D0#1001", "F1D0#1002"], []])
        let source = FindingSource.policies(file, statistics)
        _ = try deployment()
        #expect(await source.look().isEmpty)
        _ = try deployment("fido-uaf: {default-policy: strict, policies: {strict: {accepted: [\"F1D0#1002\"]}}}\n")
        #expect(
            await source.look()
                == [
                    .warning(.policies, "2 of 3 users with keys can meet no policy: their models are F1D0#1001")
                ])
        _ = try deployment(
            "fido-uaf: {default-policy: strict, policies: {strict: {accepted: [\"F1D0#1002\", \"F1D0#1001\"]}}}\n")
        #expect(await source.look().isEmpty)
        _ = try deployment("fido-uaf: {revoked-aaids: [\"F1D0#1001\"]}\n")
        #expect(await source.look().count == 1)
    }

    // MARK: - Other systems

    @Test("Messages that fail, and those given up, are a warning for each receiver until they are dropped")
    func outgoing() async throws {
        let source = FindingSource.outgoing(stage.sites)
        #expect(await source.look().isEmpty)
        let failing = try await addMessage(seed: 1, .waiting)
        #expect(
            await source.look()
                == [.warning(.outgoing, "webhook shop: 1 wait after a failed try, 0 were given up (refusedByStatus)")])
        let dead = try await addMessage(seed: 2, .dead)
        #expect(
            await source.look()
                == [.warning(.outgoing, "webhook shop: 1 wait after a failed try, 1 were given up (refusedByStatus)")])
        let (sites, now) = (stage.sites, stage.services.ports.clock.now())
        for message in [failing, dead] { #expect(try await sites.transactions.dropMessage(message, at: now)) }
        #expect(await source.look().isEmpty)
    }

    private func addMessage(seed: UInt64, _ state: OutgoingMessage.State) async throws -> OutgoingMessageID {
        let now = stage.services.ports.clock.now()
        let written = OutgoingMessage(
            stored: OutgoingMessageID(from: SeededRandom(seed: seed)), kind: .webhook, destination: "shop",
            content: Array("{}".utf8), createdAt: now, state: state, attempts: 1, nextAttemptAt: now + .seconds(60),
            lastFailure: "refusedByStatus")
        try await stage.sites.transactions.transaction { transaction throws(ServerTransactionFailure) in
            try transaction.insert(written)
        }
        return written.id
    }

    @Test("A subscriber that stands for 10 minutes is a warning, one that reads on is none")
    func subscribers() async throws {
        let services = stage.services
        let source = FindingSource.subscribers(services)
        #expect(await source.look().isEmpty)
        let chain = try #require(try await services.storage.audit.chains().first)
        let end = try #require(try await services.storage.audit.end(of: chain)?.sequence)
        func move(from known: Int64?, to place: Int64) async throws {
            try await stage.sites.transactions.transaction { transaction throws(ServerTransactionFailure) in
                _ = try transaction.movePlace(of: "webhooks", in: chain, from: known, to: place)
            }
        }
        try await move(from: nil, to: 1)
        #expect(await source.look().isEmpty, "it is a moment behind")
        stage.server.clock.advance(by: .seconds(601))
        #expect(
            await source.look()
                == [.warning(.subscribers, "webhooks has read \(chain) up to record 1 of \(end)")])
        try await move(from: 1, to: end)
        #expect(await source.look().isEmpty)
    }

    @Test("A push message that is not taken is a warning until one is taken; an unknown phone is none")
    func push() async throws {
        let record = DispatchRecord(clock: stage.services.ports.clock)
        let dispatcher = FailingDispatcher()
        let watched = try #require(record.watching([dispatcher]).first)
        func send(_ delivery: DispatchDelivery) async -> [ServerFinding] {
            dispatcher.delivery.withLock { $0 = delivery }
            _ = await watched.announce(.init(title: nil, body: nil), to: .token("t"))
            return await record.source.look()
        }
        #expect(await record.source.look().isEmpty)
        #expect(await send(.delivered(response: "1")).isEmpty)
        let refused = await send(.failed(.refused))
        #expect(
            refused.map(\.id) == ["push"] && refused.first?.text.contains("was refused by the push service") == true)
        #expect(await send(.failed(.unregistered)).isEmpty)
        #expect(await send(.failed(.unavailable)).map(\.severity) == [.warning])
        #expect(await send(.delivered(response: "2")).isEmpty)
    }

    @Test("An address that does not answer is a warning; plain HTTP is not looked at")
    func address() async {
        let found = await FindingSource.address("https://127.0.0.1:1", known: []) { [] }
        #expect(found == [.warning(.address, "https://127.0.0.1:1 cannot be reached from this machine (unreachable)")])
        #expect(await FindingSource.address("http://127.0.0.1:1", known: []) { [] }.isEmpty)
    }

    // MARK: - The board

    @Test("What is cheap is looked at when asked for, the rest in rounds; the gauge has what was found last")
    func board() async {
        let isWrong = Mutex(false)
        func source(_ subject: ServerFinding.Subject, each interval: Duration) -> FindingSource {
            FindingSource(subject, each: interval) {
                isWrong.withLock { $0 } ? [.warning(subject, "one"), .warning(subject, "two")] : []
            }
        }
        let board = FindingBoard([source(.disk, each: .zero), source(.policies, each: .seconds(600))])
        let metrics = MetricsRegistry()
        board.report(to: metrics)
        await board.round()
        #expect(metrics.text.contains("signet_finding{id=\"disk\",severity=\"warning\"} 0\n"))
        isWrong.withLock { $0 = true }
        #expect(await board.findings().map(\.id) == ["disk", "disk"])
        #expect(metrics.text.contains("signet_finding{id=\"disk\",severity=\"warning\"} 2\n"))
        #expect(metrics.text.contains("signet_finding{id=\"policies\",severity=\"warning\"} 0\n"))
        isWrong.withLock { $0 = false }
        #expect(await board.findings().isEmpty)
    }

    @Test("docs/operate/doctor.md has every finding with what helps, and alerts.yml a rule for each")
    func documents() throws {
        let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
        let page = try String(contentsOf: root.appending(path: "docs/operate/doctor.md"), encoding: .utf8)
        let rows = page.split(separator: "\n").map(String.init).filter { $0.hasPrefix("| `") }
        #expect(rows == ServerFinding.Subject.allCases.map { "| `\($0.rawValue)` | \($0.meaning) | \($0.remedy) |" })
        let rules = try String(contentsOf: root.appending(path: "packaging/prometheus/alerts.yml"), encoding: .utf8)
        #expect(rules.contains(#"signet_finding{severity="down"} > 0"#), "one rule for all that is down")
        let left = try #require(rules.firstMatch(of: /severity="warning", id!~"([a-z|-]+)"/)).1.split(separator: "|")
        for id in left {
            #expect(ServerFinding.Subject(rawValue: String(id)) != nil, "\(id)")
            let isCovered = rules.matches(of: /id=~?"([a-z|-]+)"/).contains { $0.1.split(separator: "|").contains(id) }
            #expect(isCovered, "the rule for warnings leaves \(id) to another one")
        }
    }

    @Test("The doctor tells the worst first, with what helps; a note has no remedy in words for people")
    func outcome() {
        let outcome = ServerDoctorCommand.outcome([
            .note(.processes, "1"), .down(.log, "stuck"), .warning(.disk, "full"),
        ])
        #expect(
            outcome.text.description == """
                down  log: stuck
                         \(ServerFinding.Subject.log.remedy)
                warning  disk: full
                         \(ServerFinding.Subject.disk.remedy)
                note  processes: 1
                """)
    }
}

private struct KnownModels: DecoyStatistics {
    let users: [[String]]

    func sample(limit: Int) async throws(ServerError) -> [[AAID]] { users.map { $0.compactMap { AAID($0) } } }
    func distribution() async throws(ServerError) -> DecoyStatisticsRecord? { nil }
    func keep(_ distribution: DecoyDistribution, at now: Timestamp) async throws(ServerError) {}
}

private final class FailingDispatcher: Dispatcher {
    let delivery = Mutex(DispatchDelivery.failed(.refused))
    let name = DispatcherName.firebaseCloudMessaging
    let requiresTarget = true
    let requiresEncryption = true

    func dispatch(_ parcel: DispatchPayload) async -> DispatchDelivery { delivery.withLock { $0 } }
    func announce(
        _ notification: DispatchPayload.Notification, to destination: PushDestination
    ) async -> DispatchDelivery { delivery.withLock { $0 } }
}
