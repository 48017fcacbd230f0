import Logging
import Synchronization

/// Recurring tasks: keep the time and the keys, and forget what has been kept for long enough.
package final class MaintenanceService: Sendable {
    /// Rows that one transaction forgets, so that requests never wait long for their turn.
    package static let batch = 500
    /// Time between two tries to write while writes fail.
    private static let probeInterval: Duration = .seconds(1)

    private let settings: ServerSettings
    private let storage: Storage
    private let ports: ServerPorts
    private let keys: KeyService
    private let sessions: SessionService
    private let decoys: DecoyProfiles
    private let refusals: RefusalCounter
    private let requestRefusals: RefusalCounter
    private let auditLooked = Mutex<Timestamp?>(nil)
    private let failures = Mutex<[String: ServerError]>([:])

    private var instance: String { settings.instanceName }

    /// Sums up what `refusals` has counted for the audit, and `requestRefusals` for the log.
    init(
        settings: ServerSettings, storage: Storage, ports: ServerPorts, keys: KeyService, sessions: SessionService,
        decoys: DecoyProfiles, refusals: RefusalCounter, requestRefusals: RefusalCounter
    ) {
        self.settings = settings
        self.storage = storage
        self.ports = ports
        self.keys = keys
        self.sessions = sessions
        self.decoys = decoys
        self.refusals = refusals
        self.requestRefusals = requestRefusals
    }

    /// Rounds until the task is cancelled; the first one at once.
    ///
    /// While writes fail, one of them is tried again every second.
    func run() async {
        while !Task.isCancelled {
            await round()
            var waited = Duration.zero
            while waited < KeyService.pollInterval, !Task.isCancelled {
                try? await Task.sleep(for: Self.probeInterval)
                waited += Self.probeInterval
                if storage.health.trouble != nil { await probe() }
            }
        }
        await step("refusals") { () async throws(ServerError) in try await self.summarizeRefusals(isLast: true) }
    }

    /// Writes in order to see whether writing works again.
    func probe() async {
        await step("clock") { () async throws(ServerError) in try await self.synchronizeClock() }
    }

    /// One round; a step that fails is logged and tried again in the next one, and does not keep the others from theirs.
    func round() async {
        await probe()
        await step("keys") { () async throws(ServerError) in try await self.keys.maintain() }
        await step("refusals") { () async throws(ServerError) in try await self.summarizeRefusals() }
        await step("audit") { () async throws(ServerError) in try await self.pruneAudit() }
        await step("decoys") { () async throws(ServerError) in
            try await self.decoys.refresh(at: self.ports.clock.now())
        }
        for (name, forget) in forgetting {
            await step(name) { () async throws(ServerError) in
                // Between two pieces the writes of requests get their turn.
                while try await forget() > 0, !Task.isCancelled { await Task.yield() }
            }
        }
    }

    /// Writes down what was counted; `isLast` does so before the process ends.
    func summarizeRefusals(isLast: Bool = false) async throws(ServerError) {
        let now = ports.clock.now()
        if let requests = requestRefusals.takeSummary(at: now, isLast: isLast) {
            ports.logger.notice("refused requests counted", metadata: ["summary": "\(requests.text)"])
        }
        guard let summary = refusals.takeSummary(at: now, isLast: isLast) else { return }
        ports.logger.notice("refusals counted", metadata: ["summary": "\(summary.text)"])
        var event = AuditEvent(.refusalsCounted, at: now)
        event.reason = summary.text
        try await storage.audit.append(event)
    }

    /// Removes records that are older than the operator wants to keep them, once a day.
    private func pruneAudit() async throws(ServerError) {
        let now = ports.clock.now()
        guard let retention = settings.auditRetention,
            auditLooked.withLock({ $0.map { now >= $0 + .seconds(86_400) } ?? true })
        else { return }
        let audit = AuditService(log: storage.audit)
        if let head = try await audit.prunable(instance, before: now - retention) {
            try await audit.prune(instance, through: head, at: now)
        }
        auditLooked.withLock { $0 = now }
    }

    /// Keeps server time, and logs steps of the machine's clock.
    func synchronizeClock() async throws(ServerError) {
        guard let clock = ports.serverClock else { return }
        for step in clock.wall.takeSteps() { log(step) }
        try await clock.synchronize(with: storage.clock, as: instance)
    }

    /// The error that a step ended with in the last round.
    package func failure(of step: String) -> ServerError? { failures.withLock { $0[step] } }

    /// Finding about the clocks, in words; nil when there is none.
    package var clockFinding: ClockFinding? { ports.serverClock.flatMap { ClockFinding($0) } }

    private typealias Forgetting = @Sendable () async throws(ServerError) -> Int

    /// Tasks that forget what is old, piece by piece; each returns how many rows it has dealt with.
    private var forgetting: [(String, Forgetting)] {
        let (storage, settings, sessions, limit) = (storage, settings.outOfBand, sessions, Self.batch)
        let now = ports.clock.now()
        return [
            (
                "challenges",
                { () async throws(ServerError) in
                    try await storage.unitOfWork.purgeConsumption(
                        before: now - ServerServices.consumptionMemory, limit: limit)
                }
            ),
            ("sessions", { () async throws(ServerError) in try await sessions.purge(limit: limit) }),
            (
                "expiry",
                { () async throws(ServerError) in
                    try await storage.transaction { transaction throws(ServerTransactionFailure) in
                        try AdvanceOperation(in: transaction).expire(at: now, limit: Self.expiryBatch)
                    }
                }
            ),
            (
                "operations",
                { () async throws(ServerError) in
                    try await storage.operations.purge(endedBefore: now - settings.retention, limit: limit)
                }
            ),
            (
                "incidents",
                { () async throws(ServerError) in
                    try await storage.operations.purgeIncidents(before: now - settings.limits.window, limit: limit)
                }
            ),
            (
                "device requests",
                { () async throws(ServerError) in
                    try await storage.targets.purgeRequests(before: now, limit: limit)
                }
            ),
        ]
    }

    private func step(_ name: String, _ body: () async throws(ServerError) -> Void) async {
        do throws(ServerError) {
            try await body()
            let failed = failures.withLock { $0.removeValue(forKey: name) }
            if failed != nil { ports.logger.notice("maintenance works again", metadata: ["step": "\(name)"]) }
        } catch {
            let known = failures.withLock { $0.updateValue(error, forKey: name) }
            // Told once; health says it for as long as it lasts.
            guard known != error else { return }
            ports.logger.error("maintenance failed", metadata: ["step": "\(name)", "error": "\(error)"])
        }
    }

    /// Cause of failing writes, in words; nil while writes succeed.
    package var storageTrouble: String? { storage.health.trouble }

    private func log(_ step: ConfirmedWallClock.Step) {
        switch step {
        case .seen(let size):
            ports.logger.warning(
                "the clock of the machine jumped; life times do not follow it",
                metadata: ["by": "\(ClockFinding.words(size))"])
        case .believed(let size):
            ports.logger.notice(
                "tokens follow the clock of the machine again", metadata: ["by": "\(ClockFinding.words(size))"])
        case .returned: ports.logger.notice("the clock of the machine has jumped back")
        }
    }

    /// Operations that are ended in one transaction.
    private static let expiryBatch = 100
}
