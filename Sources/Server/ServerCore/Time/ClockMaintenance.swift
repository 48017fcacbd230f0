package import Logging

/// Upkeep of server time: what this process shares with the others, and what an operator learns of the clocks.
package struct ClockMaintenance: Sendable {
    /// Nil for a clock that needs no keeping.
    private let clock: ServerClock?
    private let store: any ClockStore
    /// Name of this process among the processes on the database; nil for one that the others need not know.
    private let instance: String?
    private let logger: Logger

    package init(clock: ServerClock?, store: any ClockStore, instance: String?, logger: Logger) {
        self.clock = clock
        self.store = store
        self.instance = instance
        self.logger = logger
    }

    /// Keeps server time, and logs steps of the machine's clock.
    package func synchronize() async throws(ServerError) {
        guard let clock else { return }
        for step in clock.wall.takeSteps() { log(step) }
        try await clock.synchronize(with: store, as: instance)
    }

    /// Names of the other processes on the database that were heard of lately, in order.
    package var others: [String] { clock?.others ?? [] }

    /// Says that this process ends: the others need not wait until it was silent for long.
    package func leave() async throws(ServerError) {
        if clock != nil, let instance { try await store.forget(instance) }
    }

    package var finding: ClockFinding? { clock.flatMap { ClockFinding($0) } }

    private func log(_ step: ConfirmedWallClock.Step) {
        switch step {
        case .seen(let size):
            logger.warning(
                "the clock of the machine jumped; life times do not follow it",
                metadata: ["by": "\(ClockFinding.words(size))"])
        case .believed(let size):
            logger.notice(
                "tokens follow the clock of the machine again", metadata: ["by": "\(ClockFinding.words(size))"])
        case .returned: logger.notice("the clock of the machine has jumped back")
        }
    }
}
