import BackendAPI
import Foundation
import FuzzPipelines
import TestSupport
import Testing

@Suite("Every HTTP pipeline answers or closes, whatever octets a connection brings")
struct PipelineReplayTests {
    private static let regressions = URL(filePath: #filePath).appending(path: "../../../Fuzz/Regressions")
        .standardizedFileURL

    /// `SIGNET_PIPELINE_INPUTS`: how many requests of random shape each pipeline gets.
    private static let inputs = SlowTests.size("SIGNET_PIPELINE_INPUTS", sample: 500, whole: 1_500)

    @Test(
        "O-C1: findings of earlier fuzzing stay fixed, a target without a path first of all",
        arguments: FuzzedPipeline.all.map(\.name))
    func regressions(name: String) async throws {
        let running = try await #require(FuzzedPipeline.named(name)).start()
        let folder = Self.regressions.appending(path: name)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted()
        #expect(files.contains("get-root"))
        for file in files {
            try await running.awaitedStatuses(of: [UInt8](try Data(contentsOf: folder.appending(path: file))))
        }
    }

    @Test("The requests that fuzzing begins with are answered or closed", arguments: FuzzedPipeline.all.map(\.name))
    func seeds(name: String) async throws {
        let pipeline = try #require(FuzzedPipeline.named(name))
        let running = try await pipeline.start()
        for seed in pipeline.seeds { try await running.awaitedStatuses(of: seed) }
    }

    @Test("Every route takes its own seed: nothing is refused at the door before its handler is reached")
    func routes() async throws {
        let running = try await #require(FuzzedPipeline.named("pipeline-service")).start()
        for endpoint in Endpoint.services where ![.liveness, .health, .metrics].contains(endpoint) {
            let statuses = try await running.awaitedStatuses(of: PipelineSeeds.request(endpoint))
            #expect(statuses.count == 1, "\(endpoint.method.rawValue) \(endpoint.path)")
            #expect(Set(statuses).isDisjoint(with: [400, 405, 406, 415]), "\(endpoint.path): \(statuses)")
            // Those that name what is not there are refused by their handlers with the same status.
            let isNamed = endpoint.parameter != nil || [.dispatchTargets, .applicationVersion].contains(endpoint)
            #expect(isNamed || !statuses.contains(404), "\(endpoint.path)")
        }
    }

    @Test(
        "Requests of random shape are answered or closed: lines, fields and bodies repeated, cut, swapped and spoiled",
        arguments: FuzzedPipeline.all.map(\.name))
    func random(name: String) async throws {
        let pipeline = try #require(FuzzedPipeline.named(name))
        let running = try await pipeline.start()
        var random = SeededGenerator(seed: 13)
        for number in 0..<Self.inputs {
            guard let seed = pipeline.seeds.randomElement(using: &random) else { return }
            let input = Self.spoiled(seed, &random)
            do {
                try await running.awaitedStatuses(of: input)
            } catch {
                Issue.record("input \(number): \(error): \(String(decoding: input, as: UTF8.self))")
            }
        }
    }

    /// Some changes of lines, then some of octets; a length that no longer fits is left as it is every other time.
    private static func spoiled(_ seed: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var lines = seed.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            guard let place = lines.indices.randomElement(using: &random) else { break }
            switch Int.random(in: 0..<5, using: &random) {
            case 0: lines.insert(lines[place], at: place)
            case 1: lines.remove(at: place)
            case 2: lines.swapAt(place, lines.indices.randomElement(using: &random) ?? place)
            case 3: lines[place] += Array((fields.randomElement(using: &random) ?? "").utf8) + [0x0D]
            default: lines[place] = Array(lines[place].prefix(Int.random(in: 0...40, using: &random)))
            }
        }
        var octets = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            guard let place = octets.indices.randomElement(using: &random) else { break }
            octets[place] = UInt8.random(in: 0...255, using: &random)
        }
        return octets
    }

    private static let fields = [
        "\r\nContent-Length: 0", "\r\nTransfer-Encoding: chunked", "\r\nContent-Type: text/plain",
        "\r\nAccept: */*;q=0",
        "\r\nAccept: ;;,=", "\r\nCookie: =;;a", "\r\nAuthorization: Bearer", "\r\nAuthorization: ", "\r\nOrigin: null",
        "\r\ntraceparent: 00--", "\r\nHost:", "\r\nExpect: 100-continue", "\r\nConnection: close, keep-alive",
        "\r\nContent-Type: application/json;charset=\"", "\r\nForwarded: for=\"[\"", "\r\nX-Forwarded-For: ,",
        "\r\nDevice-Signature: ..", "{\"a\":1e999}", "[[[[[[[[[[[[[[[[[[[[", "\"\\ud800\"",
    ]
}
