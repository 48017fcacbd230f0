import BenchmarkSupport

/// What one kind of operation took, run by run.
struct OperationTimes {
    /// The operation, such as `authentication-pin`.
    let name: String
    private var runs: [OperationTime] = []

    init(_ name: String) { self.name = name }

    /// Adds one run.
    mutating func add(_ run: OperationTime) { runs.append(run) }

    /// The medians, each as a share of the whole.
    var figures: [Figure] {
        let whole = median(\.total)
        let parts: [(String, KeyPath<OperationTime, Double>)] = [
            ("user", \.user), ("vault", \.vault), ("disk", \.disk), ("network", \.network), ("ours", \.remainder),
            ("processor", \.processor),
        ]
        return [Figure(name: "\(name)-total", value: whole, unit: "ms")]
            + parts.map { part, path in
                Figure(
                    name: "\(name)-\(part)", value: median(path), unit: "ms", ratio: median(path) / whole,
                    base: "\(name)-total")
            }
    }

    private func median(_ path: KeyPath<OperationTime, Double>) -> Double {
        Percentile.median(of: runs.map { $0[keyPath: path] })
    }
}
