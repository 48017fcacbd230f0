import Foundation
import FuzzParsers
import FuzzPhone
import FuzzPipelines
import TestSupport
import Testing

@Suite("Every parser keeps its promises for every input it was ever fed")
struct FuzzReplayTests {
    private static let regressions = URL(filePath: #filePath).appending(path: "../../../Fuzz/Regressions")
        .standardizedFileURL
    private static let seeds = VectorSeeds(below: VectorFolder.location)

    @Test("Findings of earlier fuzzing stay fixed", arguments: FuzzedParser.all.map(\.name))
    func replaysRegressions(name: String) throws {
        let parser = try #require(FuzzedParser.named(name))
        let folder = Self.regressions.appending(path: name)
        for file in (try? FileManager.default.contentsOfDirectory(atPath: folder.path())) ?? [] {
            let input = [UInt8](try Data(contentsOf: folder.appending(path: file)))
            _ = try parser.accepts(input)
        }
    }

    @Test(
        "Parsers without vectors accept the sound file of their folder",
        arguments: [
            "import-jsonl", "import-ldif", "import-csv", "import-keycloak", "import-map", "policy-file",
            "session-proof", "passkey-metadata",
        ])
    func acceptsSoundFile(name: String) throws {
        let parser = try #require(FuzzedParser.named(name))
        let folder = Self.regressions.appending(path: name)
        var isAccepted = false
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path()) {
            let input = [UInt8](try Data(contentsOf: folder.appending(path: file)))
            isAccepted = try parser.accepts(input) || isAccepted
        }
        #expect(isAccepted)
    }

    @Test("Every folder of regressions belongs to a parser or a pipeline")
    func regressionsHaveParsers() throws {
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: Self.regressions.path())) ?? []
        let known = Set(
            FuzzedParser.all.map(\.name) + FuzzedPipeline.all.map(\.name) + [FuzzedPhone.name, "README.md"])
        let unknown = folders.filter { !known.contains($0) && !$0.hasPrefix(".") }
        #expect(unknown.isEmpty)
    }

    @Test(
        "Everything in the vectors is refused or keeps the parser's promises",
        .enabled(if: VectorFolder.isPresent, VectorFolder.absence), arguments: FuzzedParser.all.map(\.name))
    func replaysVectors(name: String) throws {
        #expect(!Self.seeds.inputs.isEmpty)
        let parser = try #require(FuzzedParser.named(name))
        for input in Self.seeds.inputs { _ = try parser.accepts(input) }
    }

    @Test(
        "Accepted inputs cut or changed anywhere are refused or keep the parser's promises",
        .enabled(if: VectorFolder.isPresent, VectorFolder.absence), arguments: FuzzedParser.all.map(\.name))
    func replaysSpoiledVectors(name: String) throws {
        let parser = try #require(FuzzedParser.named(name))
        let accepted = try Self.seeds.inputs.filter { try $0.count <= 2048 && parser.accepts($0) }
        for input in accepted.sorted(by: { $0.count > $1.count }).prefix(3) {
            for position in stride(from: 0, to: input.count, by: max(1, input.count / 64)) {
                _ = try parser.accepts(Array(input[..<position]))
                var changed = input
                changed[position] ^= 0x01
                _ = try parser.accepts(changed)
            }
        }
    }
}
