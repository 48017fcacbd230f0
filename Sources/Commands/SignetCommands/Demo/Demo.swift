import ArgumentParser
import Foundation
import StrictJSON

/// `signet demo`: plays a story between a real server process and real phone processes.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "Plays a story between a real server and real phones, over TLS.",
        discussion: "Stories: " + DemoStory.allCases.map { "\($0.rawValue) (\($0.summary))" }.joined(separator: ", "))

    @Argument(help: "The story to play.")
    var story = DemoStory.signIn

    @Option(help: "How the outcome is told: text or json.")
    var format = OutputFormat.text

    @Option(help: ArgumentHelp("Write every HTTP exchange into this folder, secrets masked.", valueName: "DIR"))
    var record: String?

    func run() async throws {
        let transcript = Transcript(isSilent: format == .json)
        let steps: [DemoStep]
        do {
            steps = try await play(with: transcript)
        } catch {
            let failure = CommandFailure(reporting: error)
            try await CommandReport(format: format).run { throw failure }
            return
        }
        let isAsTold = steps.allSatisfy(\.isAsTold)
        if format == .json {
            let answer = JSONObject(["ok": .bool(isAsTold), "steps": .array(steps.map(\.json))])
            print(JSONWriter.text(.object(answer)))
        } else {
            transcript.end(steps, of: story)
        }
        guard isAsTold else { throw ExitCode(CommandFailure.Kind.refused.rawValue) }
    }

    private func play(with transcript: Transcript) async throws -> [DemoStep] {
        var teller = StoryTeller(transcript: transcript)
        let stage = try DemoStage(recordings: record)
        transcript.title("Signet: \(story.summary)")
        transcript.scene("Keys are protected by software only here; a real phone keeps them in its chip.\n")
        switch story {
        case .signIn: await SignInStory(stage: stage).play(to: &teller)
        case .outOfBand: await OutOfBandStory(stage: stage).play(to: &teller)
        case .recovery: await RecoveryStory(stage: stage).play(to: &teller)
        }
        return teller.steps
    }
}

/// The stories that can be played.
enum DemoStory: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// Registration, authentication, the attacks that fail, deregistration.
    case signIn = "sign-in"
    /// Everything that is begun on one screen and answered on a phone.
    case outOfBand = "out-of-band"
    /// A forgotten PIN, a lost phone, a new one.
    case recovery

    /// What to see after this one.
    var others: [DemoStory] { Self.allCases.filter { $0 != self } }

    /// One line about the story.
    var summary: String {
        switch self {
        case .signIn: "a phone registers and signs in with a PIN, attacks fail, the phone is deregistered"
        case .outOfBand:
            "a laptop begins, a phone confirms: QR code, push with digits, a payment, and what can go wrong"
        case .recovery: "a PIN is locked, a phone is lost, a new one comes: the ways back, with two devices of one user"
        }
    }
}

/// One step of a demonstration, done.
struct DemoStep: Sendable {
    /// A stable name, for programs.
    var name: String
    /// What happened, for people.
    var sentence: String
    /// Whether it is what the story says.
    var isAsTold: Bool
    /// How long it took.
    var milliseconds: Int

    /// The step as a program reads it.
    var json: JSONValue {
        .object(
            JSONObject([
                "name": .string(name), "ok": .bool(isAsTold), "milliseconds": .integer(milliseconds),
                "detail": .string(sentence),
            ]))
    }
}
