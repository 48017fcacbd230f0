/// Result of an operation, as its client sees it.
package enum ArrivalOutcome: Sendable, Hashable {
    /// Success.
    case success
    /// Refusal because of overload (status 503 with `Retry-After`), this long after the refused request was due.
    case refused(after: Duration)
    /// Any other end: an error, a wrong answer, a connection that was lost, a client that gave up.
    case failed
}

/// Counts of one load: of the arrivals that were due in its measured time, whenever they ended.
package struct LoadTally: Sendable, Hashable {
    /// Time in which the arrivals were due, in seconds.
    package let seconds: Double
    /// Arrivals.
    package internal(set) var arrivals = 0
    /// Successes.
    package internal(set) var successes = 0
    /// Successes within the deadline of the plan.
    package internal(set) var timelySuccesses = 0
    /// Refusals because of overload.
    package internal(set) var refusals = 0
    /// Arrivals that failed, those without a place among the outstanding operations included.
    package internal(set) var failures = 0
    /// Arrivals without a place among the outstanding operations.
    package internal(set) var overflows = 0
    /// Times from the arrival to the end; without a success at least the patience of the plan.
    package internal(set) var latencies = LatencySamples()
    /// Times from the arrival to the success, of successes alone: the wait of a client whom the servers serve.
    package internal(set) var successLatencies = LatencySamples()
    /// The same for each operation.
    package internal(set) var latenciesByOperation: [LoadOperation: LatencySamples] = [:]
    /// Times from when a refused request was due to its refusal.
    package internal(set) var refusalLatencies = LatencySamples()
    /// Times from when operations were due to when the generator began them.
    ///
    /// They are part of the latencies. Where they are long, the generator had not enough of a processor.
    package internal(set) var lags = LatencySamples()

    /// Rate of arrivals per second.
    package var offeredPerSecond: Double { Double(arrivals) / seconds }
    /// Goodput: successes within the deadline, per second.
    package var goodput: Double { Double(timelySuccesses) / seconds }

    /// Share of the arrivals without a success, 0 to 1.
    package var unsuccessfulShare: Double {
        arrivals > 0 ? Double(arrivals - successes) / Double(arrivals) : 0
    }

    mutating func count(
        _ outcome: ArrivalOutcome, of operation: LoadOperation, after latency: Duration, in plan: LoadPlan
    ) {
        arrivals += 1
        var latency = latency
        switch outcome {
        case .success:
            successes += 1
            successLatencies.record(latency)
            if latency <= plan.deadline { timelySuccesses += 1 }
        case .refused(let time):
            refusals += 1
            refusalLatencies.record(time)
            latency = max(latency, plan.patience)
        case .failed:
            failures += 1
            latency = max(latency, plan.patience)
        }
        latencies.record(latency)
        latenciesByOperation[operation, default: LatencySamples()].record(latency)
    }

    mutating func countOverflow(of operation: LoadOperation, in plan: LoadPlan) {
        overflows += 1
        count(.failed, of: operation, after: plan.patience, in: plan)
    }
}
