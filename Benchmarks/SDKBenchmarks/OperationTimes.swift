import BenchmarkSupport

/// Durations of all runs of one operation.
struct OperationTimes {
    /// Name of the operation, such as `authentication-pin`.
    let name: String
    private var runs: [OperationTime] = []

    init(_ name: String) { self.name = name }

    /// Adds one run.
    mutating func add(_ run: OperationTime) { runs.append(run) }

    /// Medians, each as a share of the total.
    ///
    /// `derived` are runs of the same operation with the key derivation of products: their additional remainder is the
    /// cost of the derivation.
    func figures(with derived: OperationTimes?) -> [Figure] {
        let derivation = derived.map { max(0, $0.median(\.remainder) - median(\.remainder)) } ?? 0
        let parts = [
            ("user", median(\.user)), ("kdf", derivation), ("vault", median(\.vault)), ("disk", median(\.disk)),
            ("network", median(\.network)), ("ours", median(\.remainder)), ("processor", median(\.processor)),
        ]
        let whole = median(\.total) + derivation
        return [Figure(name: "\(name)-total", value: whole, unit: "ms")]
            + parts.map { part, value in
                Figure(name: "\(name)-\(part)", value: value, unit: "ms", ratio: value / whole, base: "\(name)-total")
            }
    }

    private func median(_ path: KeyPath<OperationTime, Double>) -> Double {
        Percentile.median(of: runs.map { $0[keyPath: path] })
    }
}
