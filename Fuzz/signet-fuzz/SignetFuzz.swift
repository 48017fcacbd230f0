import Foundation
import FuzzParsers
import FuzzPhone
import FuzzPipelines

/// Command line of the fuzzer for one parser, pipeline or phone: `--list`, `--write-seeds NAME VECTORS FOLDER`,
/// `--replay NAME FILE...`, and, in a build with libFuzzer, `--fuzz NAME` followed by libFuzzer's own arguments.
@main
enum SignetFuzz {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard let word = arguments.first else { misused() }
        guard word != "--list" else {
            return print(
                (FuzzedParser.all.map(\.name) + FuzzedPipeline.all.map(\.name) + [FuzzedPhone.name]).joined(
                    separator: "\n"))
        }
        guard arguments.count > 1, let subject = try await FuzzSubject(named: arguments[1]) else { misused() }
        switch word {
        case "--write-seeds" where arguments.count == 4:
            try subject.writeSeeds(from: arguments[2], into: arguments[3])
        case "--replay": try await besideMain { try subject.replay(arguments.dropFirst(2)) }
        case "--fuzz": exit(try await besideMain { FuzzDriver.run(subject, arguments.dropFirst(2)) })
        default: misused()
        }
    }

    /// Runs blocking work on a thread of its own, because the main one serves the main actor meanwhile.
    private static func besideMain<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws
        -> Value
    {
        try await withCheckedThrowingContinuation { continuation in
            let thread = Thread { continuation.resume(with: Result(catching: work)) }
            thread.stackSize = 16 << 20
            thread.start()
        }
    }

    private static func misused() -> Never {
        FileHandle.standardError.write(
            Data("usage: signet-fuzz --list | --write-seeds | --replay | --fuzz NAME ...\n".utf8))
        exit(64)
    }
}
