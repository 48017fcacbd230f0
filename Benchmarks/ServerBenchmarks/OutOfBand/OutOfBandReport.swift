import BenchmarkSupport

/// All figures of one out-of-band run.
struct OutOfBandReport: FigureReport {
    private static let bareName = "verify-p256"
    private static let wallName = "verify-p256-wall"
    private static let agreementName = "ecdh-p256"

    private let cores: String
    private let machine = Machine()
    private let figures: [Figure]

    init(
        result: LoadResult, openLoops: OpenLoopResults, bare: BareVerification, diskSync: Double, sealing: SealingCost
    ) {
        cores = openLoops.cores
        figures =
            Self.bases(bare, diskSync, sealing) + Self.rounds(result, bare) + openLoops.figures + Self.sealing(sealing)
    }

    /// All figures as one line of JSON.
    var json: String {
        #"{"figures":[\#(figures.map(\.json).joined(separator: ","))],"machine":\#(machine.json)}"#
    }

    /// All figures as a table.
    var table: String {
        ([machine.line] + figures.map(\.line) + [""] + Self.explanation + [cores]).joined(separator: "\n")
    }

    private static func bases(_ bare: BareVerification, _ diskSync: Double, _ sealing: SealingCost) -> [Figure] {
        [
            Figure(name: bareName, value: bare.perCPUSecond, unit: "1/cpu-s"),
            Figure(name: wallName, value: bare.perWallSecond, unit: "1/s"),
            Figure(name: agreementName, value: sealing.agreementsPerSecond, unit: "1/cpu-s"),
            Figure(name: "disk-sync-p50", value: diskSync * 1_000, unit: "ms"),
        ]
    }

    private static func rounds(_ result: LoadResult, _ bare: BareVerification) -> [Figure] {
        let name = result.load.name
        return [
            Figure(
                name: "round-trips-\(name)", value: result.perSecond, unit: "1/s",
                ratio: result.perSecond / bare.perWallSecond, base: wallName),
            Figure(
                name: "round-trips-per-server-cpu-second-\(name)", value: result.perServerCPUSecond, unit: "1/cpu-s",
                ratio: result.perServerCPUSecond / bare.perCPUSecond, base: bareName),
            Figure(name: "server-cpu-\(name)", value: result.serverSecondsPerThousand, unit: "cpu-s/1000"),
            Figure(name: "generator-cpu-\(name)", value: result.generatorSecondsPerThousand, unit: "cpu-s/1000"),
        ]
    }

    private static func sealing(_ cost: SealingCost) -> [Figure] {
        [
            Figure(
                name: "jwe-seal", value: cost.seal.perSecond, unit: "1/cpu-s", ratio: cost.seal.ratio,
                base: agreementName),
            Figure(
                name: "jwe-open", value: cost.open.perSecond, unit: "1/cpu-s", ratio: cost.open.ratio,
                base: agreementName),
        ]
    }

    private static let explanation = [
        "A round trip is four HTTP requests over TLS: a portal dispatches by link, sealed for the phone; the phone opens,",
        "redeems the token and sends the signed answer; the portal asks for the status and sees the success. Three of the",
        "four are on the disk before they are confirmed (SQLite, WAL, synchronous=FULL). The server is a process of its own.",
        "A payload is sealed with ECDH-ES+A256KW and A256GCM: one fresh key and one agreement; opened with one agreement.",
        "Latencies are from an open loop at 70 % of the own rate, each from when the operation was due.",
    ]
}
