import BenchmarkSupport
import Foundation

/// `script/bench server`: throughput of sign-ins of a real server process, and the cost of each; `script/bench
/// out-of-band`: the same for operations that begin on a screen and are answered on a phone.
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
            let report: any FigureReport =
                switch options.subject {
                case .signIns: try await signIns(seconds: seconds)
                case .outOfBand: try await outOfBand(seconds: seconds)
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

    /// Runs all loads against one server, with a round of bare verifications before each and after the last.
    private static func signIns(seconds: Double) async throws -> BenchmarkReport {
        say("starting a server for \(BenchmarkServer.population) users ...")
        let server = try await BenchmarkServer()
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
        let floor = try await Load.floor.run(against: FloorProcess(beside: server), seconds: seconds) { _, network in
            FloorPhone(on: network)
        }
        bare.append(try await BareVerification.round())
        try await server.end()
        return BenchmarkReport(
            results: results, floor: floor, bare: BareVerification.median(of: bare), diskSync: disk)
    }

    /// Runs portals and phones against one server, then measures encryption and decryption, with bare operations beside
    /// both.
    private static func outOfBand(seconds: Double) async throws -> OutOfBandReport {
        say("starting a server for \(BenchmarkServer.population) users ...")
        let server = try await BenchmarkServer()
        let disk = try DiskSync.median(in: server.folder)
        var bare = [try await BareVerification.round()]
        let load = Load(name: "64-phones", phoneCount: Load.phoneLimit)
        say("\(load.name): \(seconds) seconds ...")
        let origin = "https://127.0.0.1:\(server.port)"
        let result = try await load.run(against: server, seconds: seconds) { number, network in
            try OutOfBandPair(user: Population.phoneUser(number), at: origin, on: network)
        }
        bare.append(try await BareVerification.round())
        try await server.end()
        say("sealing and opening: \(seconds) seconds ...")
        return OutOfBandReport(
            result: result, bare: BareVerification.median(of: bare), diskSync: disk,
            sealing: try SealingCost(seconds: seconds))
    }

    private static func say(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }
}
