import Synchronization

/// Changes in what a database can do, each told once: that it fails and why, and that it works again.
///
/// Every request that meets a full disk fails alike; the operator needs one line and not thousands. A small write may still
/// fit where the next one does not, so it works again only when nothing has failed for a while.
final class StorageNews: Sendable {
    /// Work that fails or succeeds by itself: a full disk can still be read.
    enum Work {
        case reading, writing
    }

    private struct State {
        /// Failures that were told, and have not been over for long enough.
        var known: [ServerPersistenceError] = []
        /// Work that has not succeeded since it failed.
        var failing: Set<Work> = []
        var lastFailure = Duration.zero
    }

    /// Time without a failure after which the database counts as working.
    static let quietTime: Duration = .seconds(10)

    private let state = Mutex(State())
    /// Whether there is trouble, for the many reads that find none.
    private let isTrouble = Atomic(false)
    private let report: @Sendable (ServerPersistenceError) -> Void
    private let recovered: @Sendable () -> Void
    private let elapsed: @Sendable () -> Duration

    /// Tells `report` of what fails, and `recovered` when everything works again; `elapsed` is the time since any moment.
    init(
        report: @escaping @Sendable (ServerPersistenceError) -> Void, recovered: @escaping @Sendable () -> Void,
        elapsed: @escaping @Sendable () -> Duration = { ContinuousClock.now - StorageNews.start }
    ) {
        self.report = report
        self.recovered = recovered
        self.elapsed = elapsed
    }

    fileprivate static let start = ContinuousClock.now

    /// Some work failed; what concerns only one statement or row says nothing about the database, and is told each time.
    func failed(_ error: ServerPersistenceError, _ work: Work) {
        let now = elapsed()
        let isNews = state.withLock { state in
            guard error.trouble != nil else { return true }
            state.failing.insert(work)
            state.lastFailure = now
            isTrouble.store(true, ordering: .relaxed)
            guard !state.known.contains(error) else { return false }
            state.known.append(error)
            return true
        }
        if isNews { report(error) }
    }

    /// Some work succeeded; for writing only a write that reaches the disk in any case.
    func worked(_ work: Work) {
        guard isTrouble.load(ordering: .relaxed) else { return }
        let now = elapsed()
        let isOver = state.withLock { state in
            state.failing.remove(work)
            guard !state.known.isEmpty, state.failing.isEmpty, now - state.lastFailure >= Self.quietTime else {
                return false
            }
            state.known = []
            isTrouble.store(false, ordering: .relaxed)
            return true
        }
        if isOver { recovered() }
    }
}
