import Foundation
import FuzzParsers
import FuzzPipelines

/// Parser or running pipeline that inputs are fed to.
enum FuzzSubject: Sendable {
    case parser(FuzzedParser)
    case pipeline(FuzzedPipeline, RunningPipeline)

    /// The subject of a name, started if it has to be; nil when there is none.
    init?(named name: String) async throws {
        if let parser = FuzzedParser.named(name) {
            self = .parser(parser)
        } else if let pipeline = FuzzedPipeline.named(name) {
            self = .pipeline(pipeline, try await pipeline.start())
        } else {
            return nil
        }
    }

    /// Feeds one input and returns whether it was accepted or answered with success.
    ///
    /// Throws ``FuzzFinding``.
    @discardableResult
    func feed(_ input: [UInt8]) throws(FuzzFinding) -> Bool {
        switch self {
        case .parser(let parser): try parser.accepts(input)
        case .pipeline(_, let running): try running.statuses(of: input).contains { (200..<300).contains($0) }
        }
    }

    /// Writes the inputs that fuzzing begins with; those of parsers come out of the test vectors.
    func writeSeeds(from vectors: String, into folder: String) throws {
        let folder = URL(filePath: folder, directoryHint: .isDirectory)
        switch self {
        case .parser(let parser):
            let seeds = VectorSeeds(below: URL(filePath: vectors, directoryHint: .isDirectory))
            for (number, input) in seeds.inputs.enumerated() where try parser.accepts(input) {
                try Data(input).write(to: folder.appending(path: "seed-\(number)"))
            }
        case .pipeline(let pipeline, _):
            for (number, input) in pipeline.seeds.enumerated() {
                try Data(input).write(to: folder.appending(path: "seed-\(number)"))
            }
        }
    }

    /// Feeds the content of files and says what came of each.
    func replay(_ files: ArraySlice<String>) throws {
        for file in files {
            print(file, try feed([UInt8](try Data(contentsOf: URL(filePath: file)))) ? "accepted" : "refused")
        }
    }
}
