import Foundation
import FuzzParsers

/// Feeds one parser: `--list`, `--write-seeds PARSER VECTORS FOLDER`, `--replay PARSER FILE...`, and, in a build with
/// libFuzzer, `--fuzz PARSER` followed by libFuzzer's own arguments.
@main
enum SignetFuzz {
    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch (arguments.first, arguments.dropFirst().first.flatMap(FuzzedParser.named)) {
        case ("--list", _): print(FuzzedParser.all.map(\.name).joined(separator: "\n"))
        case ("--write-seeds", let parser?) where arguments.count == 4:
            try writeSeeds(for: parser, from: arguments[2], into: arguments[3])
        case ("--replay", let parser?): try replay(parser, arguments.dropFirst(2))
        case ("--fuzz", let parser?): exit(FuzzDriver.run(parser, arguments.dropFirst(2)))
        default:
            FileHandle.standardError.write(
                Data("usage: signet-fuzz --list | --write-seeds | --replay | --fuzz PARSER ...\n".utf8))
            exit(64)
        }
    }

    private static func writeSeeds(for parser: FuzzedParser, from vectors: String, into folder: String) throws {
        let seeds = VectorSeeds(below: URL(filePath: vectors, directoryHint: .isDirectory))
        for (number, input) in seeds.inputs.enumerated() where try parser.accepts(input) {
            let file = URL(filePath: folder, directoryHint: .isDirectory).appending(path: "seed-\(number)")
            try Data(input).write(to: file)
        }
    }

    private static func replay(_ parser: FuzzedParser, _ files: ArraySlice<String>) throws {
        for file in files {
            print(file, try parser.accepts([UInt8](try Data(contentsOf: URL(filePath: file)))) ? "accepted" : "refused")
        }
    }
}
