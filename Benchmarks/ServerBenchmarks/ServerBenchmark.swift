import BenchmarkSupport
import Foundation
import LoadGenerator

/// `script/bench server`: throughput of sign-ins of a real server process, of phones and of web sites, and the cost of
/// each; `script/bench out-of-band`: the same for operations that begin on a screen and are answered on a phone;
/// `script/bench scale`: databases, overload, several processes and many users; `script/bench growth`: what more credentials
/// and a million sign-ins cost; `script/bench audit`: a million records of the audit; `script/bench import`: a million keys of
/// another server.
@main
struct ServerBenchmark {
    static func main() async {
        do {
            if CommandLine.arguments.dropFirst().first == FloorServer.argument, let folder = CommandLine.arguments.last
            {
                return try await FloorServer.run(certificates: folder)
            }
            let options = try BenchmarkOptions(Array(CommandLine.arguments.dropFirst()))
            guard !options.wantsHelp else { return print(BenchmarkOptions.usage) }
            let seconds = try BenchmarkOptions.seconds()
            OpenFiles.raiseLimit()
            let report: any FigureReport =
                switch options.subject {
                case .signIns: try await signIns(seconds: seconds)
                case .webSites: try await webSites(seconds: seconds)
                case .outOfBand: try await outOfBand(seconds: seconds)
                case .scale: try await ScaleBenchmark(options, seconds: seconds).report()
                case .audit: try await AuditBenchmark().report()
                case .imports: try await ImportBenchmark().report()
                case .growth: try await GrowthBenchmark(GrowthSettings(), seconds: seconds).report()
                }
            print(options.format == .json ? report.json : report.table)
        } catch let error as BenchmarkOptions.Misuse {
            say("\(error.explanation)\n\(BenchmarkOptions.usage)")
            exit(64)
        } catch {
            say("the benchmark failed: \(error)")
            exit(1)
        }
    }

    /// Runs all loads against one server, with a round of bare verifications before each and after the last; then the
    /// open loops, and of web sites against a server of their own.
    private static func signIns(seconds: Double) async throws -> BenchmarkReport {
        // Looked for before anything is measured, though it is started last.
        guard ServerProgram.pushSink != nil else { throw BenchmarkFailure.pushSinkNotBuilt }
        let (server, population) = try await started()
        let disk = try DiskSync.median(in: server.folder)
        var bare: [BareVerification] = []
        var results: [LoadResult] = []
        for load in Load.all {
            bare.append(try await BareVerification.round())
            say("\(load.name): \(seconds) seconds ...")
            results.append(try await load.run(against: server, seconds: seconds))
        }
        bare.append(try await BareVerification.round())
        say("\(Load.floor.name): \(seconds) seconds ...")
        let floorProcess = try await FloorProcess(beside: server)
        let floor = try await Load.floor.run(against: floorProcess, seconds: seconds) { FloorPhone(on: $1) }
        var handshakes: [LoadResult] = []
        for load in Load.floorHandshakes {
            say("\(load.name): \(seconds) seconds ...")
            handshakes.append(
                try await load.run(against: floorProcess, seconds: seconds) {
                    FloorPhone(on: $1, hasFreshConnections: true)
                })
        }
        bare.append(try await BareVerification.round())
        try await server.end()
        let openLoops = try await openLoops(after: server, population, hasPairs: false) { client in
            let load = ClientLoad(client: client, userCount: population.userCount, seconds: seconds)
            var fresh = load
            fresh.freshShare = 1
            return [("open-loop", load), ("open-loop-fresh-connections", fresh)]
        }
        say("starting a server with an OpenID Provider ...")
        let webSites = try await WebSiteBenchmark(population, seconds: seconds).results()
        guard let signIns = results.first(where: { $0.load.name == Load.full.name }) else {
            throw BenchmarkFailure.connectionLost
        }
        return BenchmarkReport(
            results: results, floor: (floor, handshakes), openLoops: openLoops,
            webSites: (webSites.results, webSites.memory, signIns),
            bare: BareVerification.median(of: bare + webSites.bare), diskSync: disk)
    }

    /// Signs phones in at one server, and web sites at another, with rounds of bare verifications between.
    private static func webSites(seconds: Double) async throws -> FigureTable {
        let (server, population) = try await started()
        let bare = [try await BareVerification.round()]
        say("\(Load.full.name): \(seconds) seconds ...")
        let signIns = try await Load.full.run(against: server, seconds: seconds)
        try await server.end()
        let webSites = try await WebSiteBenchmark(population, seconds: seconds).results()
        let bases = WebSiteResult.Bases(bare: BareVerification.median(of: bare + webSites.bare), signIns: signIns)
        return FigureTable(
            bases.figures + webSites.memory + [bases.signInFigure] + webSites.results.flatMap { $0.figures(bases) },
            explanation: WebSiteResult.explanation + webSites.results.map(\.limit))
    }

    /// Runs portals and phones against one server, then measures encryption and decryption, with bare operations beside
    /// both.
    private static func outOfBand(seconds: Double) async throws -> OutOfBandReport {
        let (server, population) = try await started()
        let disk = try DiskSync.median(in: server.folder)
        var bare = [try await BareVerification.round()]
        let load = Load.full
        say("\(load.name): \(seconds) seconds ...")
        let origin = "https://127.0.0.1:\(server.port)"
        let result = try await load.run(against: server, seconds: seconds) { number, network in
            try OutOfBandPair(user: Population.phoneUser(number), at: origin, on: network)
        }
        bare.append(try await BareVerification.round())
        try await server.end()
        let openLoops = try await openLoops(after: server, population, hasPairs: true) { client in
            var roundTrips = ClientLoad(client: client, userCount: population.userCount, seconds: seconds)
            roundTrips.mix = .outOfBand
            var mixed = roundTrips
            mixed.mix = .ordinary
            return [("open-loop", roundTrips), ("open-loop-mix", mixed)]
        }
        say("sealing and opening: \(seconds) seconds ...")
        return OutOfBandReport(
            result: result, openLoops: openLoops, bare: BareVerification.median(of: bare), diskSync: disk,
            sealing: try SealingCost(seconds: seconds))
    }

    private static func started() async throws -> (BenchmarkServer, Population) {
        say("starting a server for \(BenchmarkServer.population) users ...")
        let population = Population(userCount: BenchmarkServer.population, keys: try PopulationKeys())
        return (try await BenchmarkServer(population), population)
    }

    /// Latencies of each load at 70 % of the own rate of a server that has its cores for itself from its start on, on the
    /// storage of one that has ended.
    private static func openLoops(
        after ended: BenchmarkServer, _ population: Population, hasPairs: Bool,
        _ loads: (LoadClient) -> [(name: String, load: ClientLoad)]
    ) async throws -> OpenLoopResults {
        let pinning = CorePinning()
        let start = { try await BenchmarkServer(on: ended.storage, instance: "open-loop") }
        let server = if let pinning { try await pinning.onServerCores(start) } else { try await start() }
        try pinning?.pin([server.identifier])
        let client = try await LoadClient(of: [server], keys: population.keys, hasPairs: hasPairs)
        var results = OpenLoopResults(pinning)
        for (name, load) in loads(client) {
            say("\(name): own rate, then \(ClientLoad.latencyLoops) times \(load.seconds) seconds ...")
            results.results.append((name, try await load.latencies(of: MeasuredProcesses(servers: [server]))))
        }
        results.memory = [("memory-open-loop", try ProcessUse.residentOctets(of: server.identifier))]
        try await client.shutDown()
        try await server.end()
        try pinning?.release()
        return results
    }

    private static func say(_ text: String) { ProgressLine.say(text) }
}
