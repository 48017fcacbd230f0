import Foundation
import RelyingPartyWorkload

// Throughput as an operator observes it: responses of phones and passkeys that one core parses and verifies in a second. The crypto
// library is the limit, so each rate is given beside the rate of the bare verification; the overhead beyond the bare
// verification is given in P-256 verifications, whatever the algorithm, because it hardly depends on it.

let options: Options
do throws(Options.Mistake) {
    options = try Options(CommandLine.arguments.dropFirst())
} catch {
    FileHandle.standardError.write(Data((Options.usage + "\n").utf8))
    exit(64)
}
if options.asksForHelp {
    print(Options.usage)
    exit(0)
}

let report = try Report(of: try Workload.all(), try await PasskeyWorkload.all(), seconds: options.seconds)
print(options.isJSON ? report.json : report.table)
