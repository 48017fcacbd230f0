import BenchmarkSupport

/// All figures of one run.
struct BenchmarkReport: FigureReport {
    private static let floorName = "floor-per-server-cpu-second"
    private let results: [LoadResult]
    private let webSites: [WebSiteResult]
    private let cores: String
    private let machine = Machine()
    private let figures: [Figure]

    init(
        results: [LoadResult], floor: (kept: LoadResult, handshakes: [LoadResult]), openLoops: OpenLoopResults,
        webSites: (results: [WebSiteResult], memory: [Figure], signIns: LoadResult), bare: BareVerification,
        diskSync: Double
    ) {
        self.results = results
        self.webSites = webSites.results
        cores = openLoops.cores
        let webBases = WebSiteResult.Bases(bare: bare, signIns: webSites.signIns)
        let bases = webBases.figures + [Figure(name: "disk-sync-p50", value: diskSync * 1_000, unit: "ms")]
        let floors = [
            Figure(
                name: Self.floorName, value: floor.kept.perServerCPUSecond, unit: "1/cpu-s",
                ratio: floor.kept.perServerCPUSecond / bare.perCPUSecond, base: WebSiteResult.Bases.cpu),
            Figure(name: "floor-server-cpu", value: floor.kept.serverSecondsPerThousand, unit: "cpu-s/1000"),
        ]
        let handshakes = Self.handshakes(floor.handshakes, beside: floor.kept)
        figures =
            bases + results.flatMap { Self.figures($0, bare, floor.kept) } + openLoops.figures + floors + handshakes
            + webSites.memory + webSites.results.flatMap { $0.figures(webBases) }
    }

    /// All figures as one line of JSON.
    var json: String {
        #"{"figures":[\#(figures.map(\.json).joined(separator: ","))],"machine":\#(machine.json)}"#
    }

    /// All figures as a table.
    var table: String {
        let limits = results.map(\.limit) + webSites.map(\.limit)
        return
            ([machine.line] + figures.map(\.line) + [""] + Self.explanation + WebSiteResult.explanation + limits + [
                cores
            ])
            .joined(separator: "\n")
    }

    /// CPU time of the server for a connection with a handshake before each operation, beyond the time of the operation.
    private static func handshakes(_ results: [LoadResult], beside kept: LoadResult) -> [Figure] {
        results.map { result in
            let cost = result.serverSecondsPerThousand - kept.serverSecondsPerThousand
            return Figure(
                name: "\(result.load.name)-server-cpu", value: cost, unit: "cpu-s/1000",
                ratio: cost / kept.serverSecondsPerThousand, base: "floor-server-cpu")
        }
    }

    private static func figures(
        _ result: LoadResult, _ bare: BareVerification, _ floor: LoadResult
    ) -> [Figure] {
        let name = result.load.name
        return [
            Figure(
                name: "sign-ins-\(name)", value: result.perSecond, unit: "1/s",
                ratio: result.perSecond / bare.perWallSecond, base: WebSiteResult.Bases.wall),
            Figure(
                name: "sign-ins-per-server-cpu-second-\(name)", value: result.perServerCPUSecond, unit: "1/cpu-s",
                ratio: result.perServerCPUSecond / bare.perCPUSecond, base: WebSiteResult.Bases.cpu),
            Figure(
                name: "server-cpu-\(name)", value: result.serverSecondsPerThousand, unit: "cpu-s/1000",
                ratio: result.serverSecondsPerThousand / floor.serverSecondsPerThousand, base: "floor-server-cpu"),
            Figure(name: "server-kernel-cpu-\(name)", value: result.kernelSecondsPerThousand, unit: "cpu-s/1000"),
            Figure(name: "generator-cpu-\(name)", value: result.generatorSecondsPerThousand, unit: "cpu-s/1000"),
        ]
    }

    private static let explanation = [
        "A sign-in is two HTTP requests over TLS: ask for a request, send the answer, get a token. The server is a",
        "process of its own; its log is at level info, and each accepted answer is on the disk before it is confirmed",
        "(SQLite, WAL, synchronous=FULL). Phones keep their TLS connection, except those with fresh or resumed ones.",
        "The floor is the same exchanges with a verification and a signature, without messages, rules and database; the",
        "cost of a handshake is what a new connection adds to it, with its signature and certificates or without.",
        "Ratios compare rates of the same run: CPU time with CPU time, the wall's clock with the wall's clock.",
        "Latencies are from an open loop at 70 % of the own rate: arrivals of a Poisson process, users of a Zipf",
        "distribution, and each latency from when the sign-in was due.", "",
    ]
}
