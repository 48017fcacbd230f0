import BenchmarkSupport
import RelyingPartyWorkload
import TestSupport

/// Figures of a run.
struct Report {
    /// Error of the program that counts allocations.
    struct CountingFailure: Error {
        let complaints: String
    }

    private let figures: [Figure]
    private let machine = Machine()

    /// Measures the workloads for `seconds` in total; the first one has to be P-256.
    init(of workloads: [Workload], _ passkeys: [PasskeyWorkload], seconds: Double) throws {
        let share = seconds * Double(workloads.count) / Double(workloads.count + passkeys.count)
        let measurement = try Measurement(
            of: workloads.flatMap { try [$0.bareVerification(), $0.register, $0.authenticate] }, seconds: share)
        figures =
            try Self.allocations() + Self.figures(of: passkeys, seconds: seconds - share)
            + workloads.indices.flatMap { index in
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

    /// Rates of sign-ins with passkeys, each beside its bare verification.
    private static func figures(of passkeys: [PasskeyWorkload], seconds: Double) throws -> [Figure] {
        let measurement = try Measurement(
            of: passkeys.flatMap { try [$0.bareVerification(), $0.authenticate] }, seconds: seconds)
        return passkeys.indices.flatMap { index in
            let base = "verify-\(passkeys[index].name)"
            return [(base, 2 * index), ("passkey-\(passkeys[index].name)", 2 * index + 1)].map { name, operation in
                Figure(
                    name: name, value: measurement.median { 1e9 / $0[operation] }, unit: "1/s",
                    ratio: measurement.median { $0[2 * index] / $0[operation] }, base: base)
            }
        }
    }

    /// Pieces of memory that each operation takes, as the program that counts them says.
    private static func allocations() throws -> [Figure] {
        let ending = try BuiltProgram("AllocationChild").run([], environment: [:])
        guard ending.status == 0 else { throw CountingFailure(complaints: ending.complaints) }
        return ending.output.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard words.count == 2, let count = Double(words[1]) else { return nil }
            return Figure(name: "allocations-\(words[0])", value: count, unit: "pieces")
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
