import Synchronization

/// Outstanding operations of a load, and what is counted of it.
///
/// All decisions of the load generator that do not need a clock: who gets a place, which arrivals count, and that a
/// latency begins when the operation was due, not when it was sent.
package final class LoadLedger: Sendable {
    private struct State {
        var outstanding = 0
        var tally: LoadTally
    }

    private let plan: LoadPlan
    private let state: Mutex<State>

    /// Ledger of one load.
    package init(_ plan: LoadPlan) {
        self.plan = plan
        state = Mutex(State(tally: LoadTally(seconds: plan.measured / .seconds(1))))
    }

    /// Counts so far.
    package var tally: LoadTally { state.withLock { $0.tally } }

    /// Whether the operation may begin; without a place among the outstanding ones it has failed, and is counted so.
    package func admit(_ arrival: Arrival) -> Bool {
        state.withLock { state in
            guard state.outstanding < plan.outstandingLimit else {
                if isCounted(arrival) { state.tally.countOverflow(of: arrival.operation, in: plan) }
                return false
            }
            state.outstanding += 1
            return true
        }
    }

    /// Notes when the generator began an operation; `time` is counted from the beginning of the load.
    package func begin(_ arrival: Arrival, at time: Duration) {
        guard isCounted(arrival) else { return }
        state.withLock { $0.tally.lags.record(time - arrival.due) }
    }

    /// Ends an operation that was admitted; `time` is counted from the beginning of the load.
    package func finish(_ arrival: Arrival, _ outcome: ArrivalOutcome, at time: Duration) {
        state.withLock { state in
            state.outstanding -= 1
            guard isCounted(arrival) else { return }
            state.tally.count(outcome, of: arrival.operation, after: time - arrival.due, in: plan)
        }
    }

    private func isCounted(_ arrival: Arrival) -> Bool {
        arrival.due >= plan.warmUp && arrival.due < plan.warmUp + plan.measured
    }
}
