import Synchronization

/// Load controller of a process: admits requests, learns from commits, and reports what its queues do.
///
/// One for a server, handed to the listener, to the storage and to the services.
package final class LoadController: Sendable {
    /// Verdict on a request.
    package enum Verdict: Sendable {
        /// It may begin; the ticket counts it until ``AdmissionTicket/close()``.
        case admitted(AdmissionTicket)
        case refused(retryAfterSeconds: Int)
    }

    package let settings: OverloadSettings
    let processors: Int
    private let report: any QueueReport
    private let clock: Deadline.Clock
    private let draw: @Sendable (ClosedRange<Int>) -> Int
    /// Lets a short time pass; one that is cancelled may pass early.
    let sleep: @Sendable (Duration) async -> Void
    private let admission: Mutex<Admission>
    private let shedding = Mutex<[QueueName: QueueShedding]>([:])
    private let draining = Atomic(false)

    /// Controls by `settings`, for requests that run on so many processors; `draw` chooses a number of a range, and `sleep`
    /// lets a time pass.
    package init(
        _ settings: OverloadSettings = OverloadSettings(), processors: Int = 1,
        report: any QueueReport = SilentQueueReport(),
        clock: @escaping Deadline.Clock = Deadline.clock,
        draw: @escaping @Sendable (ClosedRange<Int>) -> Int = { Int.random(in: $0) },
        sleep: @escaping @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }
    ) {
        self.settings = settings
        self.processors = processors
        self.report = report
        self.clock = clock
        self.draw = draw
        self.sleep = sleep
        admission = Mutex(Admission(settings))
    }

    package var now: Duration { clock() }

    package func lifetime() -> RequestLifetime { RequestLifetime(time: settings.answerTime, clock: clock) }

    /// Whether the process is about to stop: each answer is the last one of its connection.
    package var isDraining: Bool { draining.load(ordering: .relaxed) }

    /// Lets clients go elsewhere, one answer after the other.
    package func drain() { draining.store(true, ordering: .relaxed) }

    package var retryAfterSeconds: Int { draw(settings.retryAfter) }

    // MARK: - Requests

    /// Decides on a request at its arrival, before anything is done for it; ``began(after:)`` follows when it is
    /// admitted.
    package func admit(_ step: Admission.Step, from source: Admission.Source) -> Verdict {
        admit(step, from: source, waited: nil)
    }

    /// Takes the time into account that a request, let in at its arrival, has waited until something is done for it.
    package func began(after waited: Duration) {
        let now = clock()
        admission.withLock { $0.observeDispatch(waited, at: now) }
        report.waited(waited, in: .requests)
    }

    /// Decides on a request that was in the process for `waited` already; nil where that is not known yet.
    package func admit(_ step: Admission.Step, from source: Admission.Source, waited: Duration?) -> Verdict {
        let now = clock()
        let (isAdmitted, count) = admission.withLock { admission in
            (admission.admits(step, from: source, waited: waited, at: now), admission.inFlight)
        }
        settle(at: now)
        guard isAdmitted else {
            shed(.full, from: .requests)
            return .refused(retryAfterSeconds: retryAfterSeconds)
        }
        if let waited { report.waited(waited, in: .requests) }
        report.depth(count, of: .requests)
        return .admitted(AdmissionTicket(self, step, source))
    }

    /// Decides again on a request that has given its place up: whole seconds after which it may be sent again, or nil
    /// when it has the place.
    func readmit(_ step: Admission.Step, _ source: Admission.Source) -> Int? {
        let now = clock()
        let (isAdmitted, count) = admission.withLock { admission in
            (admission.admits(step, from: source, waited: nil, at: now), admission.inFlight)
        }
        guard isAdmitted else {
            shed(.full, from: .requests)
            return retryAfterSeconds
        }
        report.depth(count, of: .requests)
        return nil
    }

    func enter(_ source: Admission.Source) {
        change { $0.enter(source) }
    }

    func leave(_ source: Admission.Source) {
        change { $0.leave(source) }
    }

    private func change(_ change: (inout Admission) -> Void) {
        let count = admission.withLock { admission in
            change(&admission)
            return admission.inFlight
        }
        report.depth(count, of: .requests)
    }

    package var inFlight: Int { admission.withLock { $0.inFlight } }

    /// Whether a newcomer's first step fits, besides `others` that are expected.
    package func hasRoom(besides others: Int, isGreedy: Bool = false) -> Bool {
        admission.withLock { $0.hasRoom(besides: others, isGreedy: isGreedy) }
    }

    package var currentLimit: Double { admission.withLock { $0.currentLimit } }

    /// Takes the time into account that the write of a request took from its entry into the queue to its durable commit.
    package func committed(after latency: Duration) {
        let now = clock()
        admission.withLock { $0.observeCommit(latency, at: now) }
    }

    // MARK: - Queues

    package func depth(_ depth: Int, of queue: QueueName) { report.depth(depth, of: queue) }

    package func waited(_ time: Duration, in queue: QueueName) { report.waited(time, in: queue) }

    package func shed(_ reason: QueueShedReason, from queue: QueueName) {
        report.shed(reason, from: queue)
        let now = clock()
        for change in shedding.withLock({ $0[queue, default: QueueShedding()].shed(at: now) }) {
            report.changed(change, of: queue)
        }
    }

    /// Looks which queues have stopped shedding, also when no request comes.
    package func settle() { settle(at: clock()) }

    private func settle(at now: Duration) {
        let changes = shedding.withLock { states in
            states.keys.flatMap { queue in
                states[queue, default: QueueShedding()].settle(at: now).map { (queue, $0) }
            }
        }
        for (queue, change) in changes { report.changed(change, of: queue) }
    }
}
