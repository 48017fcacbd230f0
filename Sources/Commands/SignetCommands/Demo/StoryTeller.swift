/// Plays steps one after the other and keeps how they ended.
struct StoryTeller {
    private let transcript: Transcript
    /// The steps so far.
    private(set) var steps: [DemoStep] = []

    init(transcript: Transcript) {
        self.transcript = transcript
    }

    /// What a step found out.
    struct Finding {
        /// Whether it is what the story says.
        var isAsTold: Bool
        /// What happened.
        var sentence: String

        /// What a screen in the story shows, line by line; nil for nothing.
        var picture: String?

        /// As the story says.
        static func good(_ sentence: String, showing picture: String? = nil) -> Finding {
            Finding(isAsTold: true, sentence: sentence, picture: picture)
        }

        /// Otherwise than the story says.
        static func bad(_ sentence: String) -> Finding { Finding(isAsTold: false, sentence: sentence) }

        /// A refusal with a UAF status, which must be the one that is due.
        static func refusal(_ due: Int, _ status: Int?, _ sentence: String) -> Finding {
            guard let status else { return .bad("the server was not reached") }
            let name = statusNames[due].map { ", “\($0)”" } ?? ""
            return status == due
                ? .good("\(sentence) The server refuses it with UAF status \(status)\(name).")
                : .bad("status \(status) instead of \(due)")
        }

        /// Names of status codes (FIDO UAF Application API and Transport Binding 1.1, 3.1).
        private static let statusNames = [1401: "unauthorized", 1491: "request invalid", 1498: "unacceptable content"]
    }

    /// Plays a step; an error makes it one that did not go as told.
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
