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
    ///
    /// `derived` are runs of the same operation that derived its secrets as products do: what remains of them beyond
    /// what remains here is the derivation.
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
