import Foundation
import LoadGenerator

/// Options of the command line.
struct BenchmarkOptions {
    /// Output format of the figures.
    enum Format: String {
        case table, json
    }

    /// Error of a command line that is not understood.
    struct Misuse: Error {
        let explanation: String
    }

    /// Subject of the measurement.
    enum Subject: String {
        case signIns = "server"
        case webSites = "web-sites"
        case outOfBand = "out-of-band"
        case scale
        case growth
        case audit
        case imports = "import"
    }

    static let usage = """
        usage: script/bench server|web-sites|out-of-band|growth|audit|import [--format table|json] [--help]
               script/bench scale [--only PART[,PART]] [--users N] [--format table|json] [--help]

        server        signs phones in at a real signet-server process over TLS and counts the server's CPU time; then web
                      sites sign people in by code and ask by CIBA, and browsers load the sign-in page
        web-sites     the loads of web sites alone, beside the sign-ins of 64 phones
        out-of-band   dispatches to phones, which redeem and answer, and seals and opens payloads
        scale         databases, overload, several processes and a million users, in parts:
        \(ScalePart.list)
        growth        look-ups, octets on the disk, start and memory with a thousand to ten million credentials, then a
                      million sign-ins in a row
        audit         writes a million records of the audit, lists one user's, verifies, exports and prunes them
        import        imports a million users with a key each, beside bare inserts of the same rows

          --only PART     these parts, in this order; all without it
          --users N       the largest number of users, from 1,000 (1000000)
          --format json   one line of JSON instead of the table
          --help          this text

        SIGNET_BENCHMARK_SECONDS            seconds for each load (5)
        \(GrowthSettings.usage)
        \(AuditBenchmark.usage)
        \(ImportBenchmark.usage)
        TMPDIR                              where data folders are made and removed again; it must be a real disk
        """

    private(set) var subject = Subject.signIns
    private(set) var format = Format.table
    private(set) var wantsHelp = false
    private(set) var parts = ScalePart.allCases
    private(set) var userLimit = 1_000_000

    /// Number in a setting of the environment, from 1,000; throws ``Misuse`` for a text that is no such number.
    static func count(_ name: String, or preset: String) throws(Misuse) -> Int {
        guard let size = LoadSize(text: ProcessInfo.processInfo.environment[name] ?? preset), size.count >= 1_000
        else { throw Misuse(explanation: "\(name) is a number from 1000, such as 20000 or 1e6") }
        return size.count
    }

    /// Parses the arguments; throws ``Misuse``.
    init(_ arguments: [String]) throws(Misuse) {
        var rest = arguments[...]
        if let subject = rest.first.flatMap(Subject.init(rawValue:)) {
            self.subject = subject
            rest.removeFirst()
        }
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": wantsHelp = true
            case "--format":
                guard let format = rest.popFirst().flatMap(Format.init(rawValue:)) else {
                    throw Misuse(explanation: "--format takes table or json")
                }
                self.format = format
            case "--only" where subject == .scale: parts = try Self.parts(rest.popFirst())
            case "--users" where subject == .scale:
                guard let users = rest.popFirst().flatMap({ Int($0) }), (1_000...10_000_000).contains(users) else {
                    throw Misuse(explanation: "--users takes a number from 1000 to 10000000")
                }
                userLimit = users
            default: throw Misuse(explanation: "unknown option \(argument)")
            }
        }
    }

    private static func parts(_ list: String?) throws(Misuse) -> [ScalePart] {
        let parts = (list ?? "").split(separator: ",").map { ScalePart(rawValue: String($0)) }
        let known = parts.compactMap { $0 }
        guard !parts.isEmpty, known.count == parts.count else {
            let names = ScalePart.allCases.map(\.rawValue).joined(separator: ", ")
            throw Misuse(explanation: "--only takes one or several of \(names)")
        }
        return known
    }

    /// Duration of each load in seconds; throws ``Misuse`` for a setting that is not a positive number.
    static func seconds() throws(Misuse) -> Double {
        guard let text = ProcessInfo.processInfo.environment["SIGNET_BENCHMARK_SECONDS"] else { return 5 }
        guard let seconds = Double(text), seconds > 0, seconds <= 3_600 else {
            throw Misuse(explanation: "SIGNET_BENCHMARK_SECONDS is a number between 0 and 3600")
        }
        return seconds
    }
}
