import Foundation
import FuzzParsers
import FuzzPhone
import FuzzPipelines
import Synchronization

/// Subject of inputs: a parser, a running pipeline or a phone.
enum FuzzSubject: Sendable {
    case parser(FuzzedParser)
    case pipeline(FuzzedPipeline, RunningPipeline)
    case phone(FuzzedPhone)

    /// The subject with a name, started if it has to be; nil when there is none.
    init?(named name: String) async throws {
        if let parser = FuzzedParser.named(name) {
            self = .parser(parser)
        } else if let pipeline = FuzzedPipeline.named(name) {
            self = .pipeline(pipeline, try await pipeline.start())
        } else if name == FuzzedPhone.name {
            self = .phone(FuzzedPhone())
        } else {
            return nil
        }
    }

    /// Runs one input; returns whether it was accepted, answered with success, or survived.
    ///
    /// Blocks the thread, which must not be the main one: phones need the main actor. Throws ``FuzzFinding``.
    @discardableResult
    func feed(_ input: [UInt8]) throws -> Bool {
        switch self {
        case .parser(let parser): return try parser.accepts(input)
        case .pipeline(_, let running):
            return try running.statuses(of: input).contains { (200..<300).contains($0) }
        case .phone(let phone):
            let end = Mutex<Result<Void, any Error>?>(nil)
            let hasEnded = DispatchSemaphore(value: 0)
            Task { @concurrent in
                let result: Result<Void, any Error>
                do { result = .success(try await phone.play(input)) } catch { result = .failure(error) }
                end.withLock { $0 = result }
                hasEnded.signal()
            }
            hasEnded.wait()
            try end.withLock { $0 }?.get()
            return true
        }
    }

    /// Writes the seed inputs; parsers get theirs from the test vectors.
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
        case .phone:
            for (number, input) in FuzzedPhone.seeds.enumerated() {
                try Data(input).write(to: folder.appending(path: "seed-\(number)"))
            }
        }
    }

    /// Runs the content of files and reports the result of each.
    func replay(_ files: ArraySlice<String>) throws {
        for file in files {
            print(file, try feed([UInt8](try Data(contentsOf: URL(filePath: file)))) ? "accepted" : "refused")
        }
    }
}
