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

        /// As the story says.
        static func good(_ sentence: String) -> Finding { Finding(isAsTold: true, sentence: sentence) }

        /// Otherwise than the story says.
        static func bad(_ sentence: String) -> Finding { Finding(isAsTold: false, sentence: sentence) }

        /// A refusal with a UAF status, which must be the one that is due.
        static func refusal(_ due: Int, _ status: Int?, _ sentence: String) -> Finding {
            guard let status else { return .bad("the server was not reached") }
            return status == due ? .good("\(status): \(sentence)") : .bad("status \(status) instead of \(due)")
        }
    }

    /// Plays a step; an error makes it one that did not go as told.
    mutating func play(_ name: String, _ scene: String, _ body: () async throws -> Finding) async {
        transcript.scene(scene)
        let clock = ContinuousClock()
        let start = clock.now
        let finding: Finding
        do {
            finding = try await body()
        } catch {
            finding = Finding(isAsTold: false, sentence: CommandFailure(reporting: error).message)
        }
        let (seconds, attoseconds) = (clock.now - start).components
        let step = DemoStep(
            name: name, sentence: finding.sentence, isAsTold: finding.isAsTold,
            milliseconds: Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
        steps.append(step)
        transcript.step(step)
    }
}
