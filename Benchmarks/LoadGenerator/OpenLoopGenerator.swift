/// Open-loop load generator: begins each operation when it is due, whatever has become of those before.
///
/// A generator that waits for answers sends less while the server stalls, and so leaves out what users would have had to
/// wait (coordinated omission). This one keeps to its schedule, and counts each latency from the time at which the
/// operation was due. Outstanding operations have a limit; what finds no place has failed.
package struct OpenLoopGenerator<Time: Clock>: Sendable where Time.Duration == Duration {
    /// Work of one operation; `lag` is the time since it was due.
    package typealias Operation = @Sendable (_ arrival: Arrival, _ lag: Duration) async -> ArrivalOutcome

    private let plan: LoadPlan
    private let clock: Time

    /// Generator of a plan on a clock.
    package init(_ plan: LoadPlan, clock: Time = ContinuousClock()) {
        self.plan = plan
        self.clock = clock
    }

    /// Runs the load and waits for the operations that are outstanding at its end, which `perform` has to bound by the
    /// patience of the plan; ends early, with what was counted until then, when its task is cancelled.
    package func run(_ perform: @escaping Operation) async -> LoadTally {
        let ledger = LoadLedger(plan)
        let start = clock.now
        await withDiscardingTaskGroup { group in
            for arrival in plan.arrivals {
                let due = start.advanced(by: arrival.due)
                if clock.now < due { try? await clock.sleep(until: due, tolerance: .zero) }
                guard !Task.isCancelled else { break }
                guard ledger.admit(arrival) else { continue }
                group.addTask { [clock] in
                    let lag = due.duration(to: clock.now)
                    ledger.begin(arrival, at: arrival.due + lag)
                    let outcome = await perform(arrival, lag)
                    ledger.finish(arrival, outcome, at: start.duration(to: clock.now))
                }
            }
        }
        return ledger.tally
    }
}
