import Foundation
import FuzzParsers
import FuzzPipelines

/// Feeds one parser or pipeline: `--list`, `--write-seeds NAME VECTORS FOLDER`, `--replay NAME FILE...`, and, in a
/// build with libFuzzer, `--fuzz NAME` followed by libFuzzer's own arguments.
@main
enum SignetFuzz {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard let word = arguments.first else { misused() }
        guard word != "--list" else {
            return print((FuzzedParser.all.map(\.name) + FuzzedPipeline.all.map(\.name)).joined(separator: "\n"))
        }
        guard arguments.count > 1, let subject = try await FuzzSubject(named: arguments[1]) else { misused() }
        switch word {
        case "--write-seeds" where arguments.count == 4:
            try subject.writeSeeds(from: arguments[2], into: arguments[3])
        case "--replay": try subject.replay(arguments.dropFirst(2))
        case "--fuzz": exit(FuzzDriver.run(subject, arguments.dropFirst(2)))
        default: misused()
        }
    }

    private static func misused() -> Never {
        FileHandle.standardError.write(
            Data("usage: signet-fuzz --list | --write-seeds | --replay | --fuzz NAME ...\n".utf8))
        exit(64)
    }
}
