import BenchmarkSupport

/// Figures of a run.
struct Report {
    private let figures: [Figure]
    private let machine = Machine()

    /// Measures the workloads for `seconds` in total; the first one has to be P-256.
    init(of workloads: [Workload], seconds: Double) throws {
        let measurement = try Measurement(
            of: workloads.flatMap { try [$0.bareVerification(), $0.register, $0.authenticate] }, seconds: seconds)
        figures = workloads.indices.flatMap { index in
            let (bare, registration, authentication) = (3 * index, 3 * index + 1, 3 * index + 2)
            let name = workloads[index].name
            let base = "verify-\(name)"
            let rates = [
                (base, bare), ("registration-\(name)", registration), ("authentication-\(name)", authentication),
            ]
            .map { name, operation in
                Figure(
                    name: name, value: measurement.median { 1e9 / $0[operation] }, unit: "1/s",
                    ratio: measurement.median { $0[bare] / $0[operation] }, base: base)
            }
            let overheads = [("registration", registration), ("authentication", authentication)]
                .map { kind, operation in
                    let share = measurement.median { ($0[operation] - $0[bare]) / $0[0] }
                    return Figure(
                        name: "overhead-\(kind)-\(name)", value: share, unit: "verify", ratio: share,
                        base: "verify-\(workloads[0].name)")
                }
            return rates + overheads
        }
    }

    /// All figures as one line of JSON.
    var json: String {
        #"{"figures":[\#(figures.map(\.json).joined(separator: ","))],"machine":\#(machine.json)}"#
    }

    /// All figures as a table.
    var table: String {
        ([machine.line] + figures.map(\.line)).joined(separator: "\n")
    }
}
