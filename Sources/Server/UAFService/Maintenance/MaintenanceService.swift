import LoadControl
import Logging
package import ServerCore
import Synchronization

/// Recurring tasks: keep the time and the keys, and forget what has been kept for long enough.
///
/// Of several processes on one database one at a time forgets and rotates (``Leadership``).
package final class MaintenanceService: Sendable {
    /// Time between two looks at what does not wait for a round.
    private static let tickInterval: Duration = .seconds(1)

    private let clocks: ClockMaintenance
    private let keys: KeyService
    private let summaries: RefusalSummaries
    private let pruning: AuditPruning
    private let signing: AuditSigning
    private let decoys: DecoyProfiles
    private let retention: RetentionTasks
    private let leader: MaintenanceLeader
    private let health: any StorageHealth
    private let load: LoadController
    private let clock: any WallClock
    private let logger: Logger
    private let failures = Mutex<[String: ServerError]>([:])

    init(
        clocks: ClockMaintenance, keys: KeyService, summaries: RefusalSummaries, pruning: AuditPruning,
        signing: AuditSigning, decoys: DecoyProfiles, retention: RetentionTasks, leader: MaintenanceLeader,
        health: any StorageHealth,
        load: LoadController, clock: any WallClock, logger: Logger
    ) {
        self.clocks = clocks
        self.keys = keys
        self.summaries = summaries
        self.pruning = pruning
        self.signing = signing
        self.decoys = decoys
        self.retention = retention
        self.leader = leader
        self.health = health
        self.load = load
        self.clock = clock
        self.logger = logger
    }

    /// Rounds until the task is cancelled; the first one at once.
    ///
    /// Every second between two rounds there is a ``tick()``.
    func run() async {
        while !Task.isCancelled {
            await round()
            var waited = Duration.zero
            while waited < KeyService.pollInterval, !Task.isCancelled {
                try? await Task.sleep(for: Self.tickInterval)
                waited += Self.tickInterval
                await tick()
            }
        }
        await step("refusals") { () async throws(ServerError) in
            try await self.summaries.write(at: self.clock.now(), isLast: true)
        }
        await step("signatures") { () async throws(ServerError) in try await self.signing.sign(isLast: true) }
        await leave()
    }

    /// Takes the report of this process away.
    func leave() async {
        await step("leaving") { () async throws(ServerError) in try await self.clocks.leave() }
    }

    /// Tells of queues that have stopped to refuse, and tries to write again while writes fail.
    func tick() async {
        load.settle()
        if health.trouble != nil { await probe() }
    }

    /// Writes in order to see whether writing works again.
    func probe() async {
        await step("clock") { () async throws(ServerError) in try await self.synchronizeClock() }
    }

    /// One round; a step that fails is logged and tried again in the next one, and does not keep the others from theirs.
    ///
    /// What concerns the whole database is done by the process that leads, the rest by each.
    func round() async {
        await probe()
        let leads = await leader.leads()
        await step("keys") { () async throws(ServerError) in try await self.keys.maintain(leads: leads) }
        await step("refusals") { () async throws(ServerError) in
            try await self.summaries.write(at: self.clock.now())
        }
        await step("audit") { () async throws(ServerError) in try await self.pruning.prune(at: self.clock.now()) }
        await step("decoys") { () async throws(ServerError) in
            try await self.decoys.refresh(at: self.clock.now(), mayReplace: leads)
        }
        guard leads else { return }
        await step("signatures") { () async throws(ServerError) in try await self.signing.sign() }
        for (name, piece) in retention.pieces(at: clock.now(), limit: BatchDeletion.batch) {
            await step(name) { () async throws(ServerError) in
                _ = try await BatchDeletion(during: BatchDeletion.stepTime).run(piece)
            }
        }
    }

    /// Keeps server time, and logs steps of the machine's clock.
    func synchronizeClock() async throws(ServerError) { try await clocks.synchronize() }

    /// The error that a step ended with in the last round.
    package func failure(of step: String) -> ServerError? { failures.withLock { $0[step] } }

    /// Names of the other processes on the database that were heard of lately, in order.
    package var otherProcesses: [String] { clocks.others }

    /// Whether this process did the work for all in the last round.
    package var isLeading: Bool { leader.isLeading }

    package var clockFinding: ClockFinding? { clocks.finding }

    /// Cause of failing writes, in words; nil while writes succeed.
    package var storageTrouble: String? { health.trouble }

    private func step(_ name: String, _ body: () async throws(ServerError) -> Void) async {
        do throws(ServerError) {
            try await body()
            let failed = failures.withLock { $0.removeValue(forKey: name) }
            if failed != nil { logger.notice("maintenance works again", metadata: ["step": "\(name)"]) }
        } catch {
            let known = failures.withLock { $0.updateValue(error, forKey: name) }
            // Told once; health says it for as long as it lasts.
            guard known != error else { return }
            logger.error("maintenance failed", metadata: ["step": "\(name)", "error": "\(error)"])
        }
    }
}
