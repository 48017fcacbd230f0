/// Processor time of several operations, measured side by side.
///
/// The speed of a shared machine changes from second to second. So each round measures all operations, each for a short
/// time, and only values of the same round are compared with each other.
package struct Measurement {
    /// Nanoseconds of processor time for one execution, by round and operation.
    private let rounds: [[Double]]

    /// Measures `operations` in `rounds` rounds that take `seconds` in total.
    package init(of operations: [() throws -> Void], rounds: Int = 41, seconds: Double) throws {
        let share = seconds * 1e9 / Double(rounds * operations.count)
        let batches = try operations.map { operation in
            _ = try Self.cost(of: operation, times: 100)
            return max(1, Int(share / (try Self.cost(of: operation, times: 100))))
        }
        self.rounds = try (0..<rounds).map { _ in
            try zip(operations, batches).map { try Self.cost(of: $0, times: $1) }
        }
    }

    /// Median over all rounds of a value that `value` computes from the processor times of one round.
    package func median(_ value: ([Double]) -> Double) -> Double {
        rounds.map(value).sorted()[rounds.count / 2]
    }

    private static func cost(of operation: () throws -> Void, times: Int) rethrows -> Double {
        let start = ThreadTime.nanoseconds
        for _ in 0..<times { try operation() }
        return (ThreadTime.nanoseconds - start) / Double(times)
    }
}
