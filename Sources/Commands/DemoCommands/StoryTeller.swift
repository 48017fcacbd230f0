import CommandSupport
import DeviceCommands

struct StoryTeller {
    private let transcript: Transcript
    private(set) var steps: [DemoStep] = []

    init(transcript: Transcript) {
        self.transcript = transcript
    }

    struct Finding {
        var isAsTold: Bool
        var sentence: String

        var picture: String?

        static func good(_ sentence: String, showing picture: String? = nil) -> Finding {
            Finding(isAsTold: true, sentence: sentence, picture: picture)
        }

        static func bad(_ sentence: String) -> Finding { Finding(isAsTold: false, sentence: sentence) }

        /// A refusal, expected to have the UAF status `due`; nil stands for an unreachable server.
        static func refusal(_ due: Int, _ status: Int?, _ sentence: String) -> Finding {
            guard let status else { return .bad("the server was not reached") }
            let name = statusNames[due].map { ", “\($0)”" } ?? ""
            return status == due
                ? .good("\(sentence) The server refuses it with UAF status \(status)\(name).")
                : .bad("status \(status) instead of \(due)")
        }

        /// Names of UAF status codes (FIDO UAF Application API and Transport Binding 1.1 section 3.1).
        private static let statusNames = [
            1401: "unauthorized", 1491: "request invalid", 1496: "unacceptable attestation",
            1498: "unacceptable content",
        ]
    }

    /// Runs a step; an error becomes an unexpected outcome.
    mutating func play(_ name: String, _ scene: String, _ body: () async throws -> Finding) async {
        transcript.scene(scene)
        let clock = ContinuousClock()
        let start = clock.now
        let finding: Finding
        let progress = transcript.progress()
        defer { progress.cancel() }
        do {
            finding = try await body()
        } catch {
            finding = Finding(isAsTold: false, sentence: CommandFailure(reporting: error).message)
        }
        progress.cancel()
        if let picture = finding.picture { transcript.picture(picture) }
        let (seconds, attoseconds) = (clock.now - start).components
        let step = DemoStep(
            name: name, sentence: finding.sentence, isAsTold: finding.isAsTold,
            milliseconds: Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
        steps.append(step)
        transcript.step(step)
    }
}
