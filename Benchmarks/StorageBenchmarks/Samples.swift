import BenchmarkSupport

/// Repeated measurements of several operations in turns, so that changes of the machine's speed affect all of them
/// alike.
enum Samples {
    /// Duration of each operation in seconds: the medians of as many rounds as fit into `seconds`, at least five.
    ///
    /// Wall-clock time, because waiting for the disk counts.
    static func medians(seconds: Double, of operations: [() async throws -> Double]) async throws -> [Double] {
        let clock = ContinuousClock()
        let end = clock.now + .seconds(seconds * Double(operations.count))
        var rounds: [[Double]] = []
        while rounds.count < 5 || clock.now < end {
            var round: [Double] = []
            for operation in operations { round.append(try await operation()) }
            rounds.append(round)
        }
        return operations.indices.map { index in Percentile.median(of: rounds.map { $0[index] }) }
    }

    /// Executions of each operation, measured in turns, per second of this thread's processor time.
    static func rates(seconds: Double, of operations: [(Int) throws -> Void]) throws -> [Double] {
        let roundCount = 21
        let batches = try operations.map { operation in
            let cost = try cost(of: operation, times: 200)
            return max(1, Int(seconds * 1e9 / Double(roundCount) / max(cost, 1)))
        }
        let rounds = try (0..<roundCount).map { _ in
            try zip(operations, batches).map { 1e9 / (try cost(of: $0, times: $1)) }
        }
        return operations.indices.map { index in Percentile.median(of: rounds.map { $0[index] }) }
    }

    /// Duration of `work`, in seconds of wall-clock time.
    static func duration(of work: () async throws -> Void) async throws -> Double {
        let clock = ContinuousClock()
        let start = clock.now
        try await work()
        return (clock.now - start) / .seconds(1)
    }

    private static func cost(of operation: (Int) throws -> Void, times: Int) throws -> Double {
        let start = ThreadTime.nanoseconds
        for number in 0..<times { try operation(number) }
        return (ThreadTime.nanoseconds - start) / Double(times)
    }
}
