import BenchmarkSupport
import Foundation

/// `script/bench scale`: databases, overload, several processes and many users.
struct ScaleBenchmark {
    private let parts: [ScalePart]
    private let seconds: Double
    private let userLimit: Int

    /// Benchmark of the parts that the options name; `seconds` for each measurement.
    init(_ options: BenchmarkOptions, seconds: Double) {
        parts = options.parts
        userLimit = options.userLimit
        self.seconds = seconds
    }

    /// Runs the parts in their order.
    func report() async throws -> ScaleReport {
        let storages = try await ScaleStorages()
        let pinning = CorePinning()
        let setting = ScaleSetting(storages: storages, pinning: pinning, seconds: seconds, userLimit: userLimit)
        let disk = try DiskSync.median(in: storages.folder)
        var figures = [Figure(name: "disk-sync-p50", value: disk * 1_000, unit: "ms")]
        for part in parts {
            ProgressLine.say("\(part.rawValue) ...")
            figures += try await Self.figures(of: part, in: setting)
        }
        return ScaleReport(figures: figures, cores: pinning?.sentence ?? CorePinning.sharedSentence)
    }

    private static func figures(of part: ScalePart, in setting: ScaleSetting) async throws -> [Figure] {
        switch part {
        case .postgresql: try await DatabaseComparison(setting: setting).figures()
        case .latency: try await HalfLoad(setting: setting).figures()
        case .goodput: try await GoodputCurve(setting: setting).figures()
        case .processes: try await ProcessComparison(setting: setting).figures()
        case .lookup: try await PopulationComparison(setting: setting).figures()
        case .delay: try await DelayComparison(setting: setting).figures()
        }
    }
}

/// All figures of one run.
struct ScaleReport: FigureReport {
    private let figures: [Figure]
    private let cores: String
    private let machine = Machine()

    init(figures: [Figure], cores: String) {
        self.figures = figures
        self.cores = cores
    }

    /// All figures as one line of JSON.
    var json: String {
        #"{"figures":[\#(figures.map(\.json).joined(separator: ","))],"machine":\#(machine.json)}"#
    }

    /// All figures as a table.
    var table: String {
        ([machine.line] + figures.map(\.line) + [""] + Self.explanation + [cores]).joined(separator: "\n")
    }

    private static let explanation = [
        "Rates are from 64 clients in a closed loop, who share the cores with servers and databases; so is the rate of",
        "pgbench, with 64 clients and the same transaction. CPU seconds are for servers and database together.",
        "Latencies and goodput are from an open loop: arrivals of a Poisson process, users of a Zipf distribution, each",
        "latency from when the operation was due; what did not succeed counts with five seconds. Goodput is what succeeded",
        "within one second. A look-up is a request for an authentication, which reads a user with the credentials.",
    ]
}
