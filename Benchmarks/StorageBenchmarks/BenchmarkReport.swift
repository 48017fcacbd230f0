import BenchmarkSupport

/// All figures of one run.
struct BenchmarkReport {
    let figures: [Figure]
    /// Median time of one small durable write, in seconds.
    let diskSync: Double
    private let machine = Machine()

    init(figures: [Figure], diskSync: Double) {
        self.figures = figures + [Figure(name: "disk-sync-p50", value: diskSync * 1_000, unit: "ms")]
        self.diskSync = diskSync
    }

    /// All figures as one line of JSON.
    var json: String {
        #"{"figures":[\#(figures.map(\.json).joined(separator: ","))],"machine":\#(machine.json)}"#
    }

    /// All figures as a table.
    var table: String {
        ([machine.line] + figures.map(\.line) + [""] + Self.explanation).joined(separator: "\n")
    }

    private static let explanation = [
        "Values have 256 bytes. Storage: keys of the software vault, a fingerprint, names encrypted, no passphrase where",
        "none is named. SQLCipher: the library's defaults, prepared statements, durable after each transaction.",
        "Rates are per second of this thread's processor time, times are medians on the wall with their waits for the disk.",
    ]
}
