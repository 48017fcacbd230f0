import BenchmarkSupport
import Foundation

/// `script/bench server`: how many sign-ins a real server process gives out, and what each costs it.
@main
struct ServerBenchmark {
    static func main() async {
        do {
            let options = try BenchmarkOptions(Array(CommandLine.arguments.dropFirst()))
            guard !options.wantsHelp else { return print(BenchmarkOptions.usage) }
            let report = try await measured(seconds: try BenchmarkOptions.seconds())
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
    private static func measured(seconds: Double) async throws -> BenchmarkReport {
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
        try await server.end()
        return BenchmarkReport(results: results, bare: BareVerification.median(of: bare), diskSync: disk)
    }

    private static func say(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }
}
