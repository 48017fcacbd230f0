import ArgumentParser
import CommandSupport
import DeviceCommands
import Foundation
import StrictJSON

struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "Play a story between a real server and real phones, over TLS.",
        discussion: "Stories: " + DemoStory.allCases.map { "\($0.rawValue) (\($0.summary))" }.joined(separator: ", "))

    @Argument(help: "The story to play.")
    var story = DemoStory.signIn

    @Option(help: "Output format: text or json.")
    var format = OutputFormat.text

    @Option(help: ArgumentHelp("Write every HTTP exchange into this folder, secrets masked.", valueName: "DIR"))
    var record: String?

    @Option(
        help: ArgumentHelp(
            "Debian package of the server (script/package) with which the story \(DemoStory.operations.rawValue) begins.",
            valueName: "FILE"))
    var package: String?

    func validate() throws {
        guard package == nil || story == .operations else {
            throw ValidationError("--package belongs to the story \(DemoStory.operations.rawValue).")
        }
    }

    func run() async throws {
        let transcript = Transcript(isSilent: format == .json)
        let steps: [DemoStep]
        do {
            steps = try await play(with: transcript)
        } catch {
            let failure = CommandFailure(reporting: error)
            try await CommandReport(program: .phone, format: format).run { throw failure }
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
        transcript.scene(story.protection + "\n")
        switch story {
        case .signIn: await SignInStory(stage: stage).play(to: &teller)
        case .outOfBand: await OutOfBandStory(stage: stage).play(to: &teller)
        case .recovery: await RecoveryStory(stage: stage).play(to: &teller)
        case .attested: await AttestedStory(stage: stage).play(to: &teller)
        case .backup: await BackupStory(stage: stage).play(to: &teller)
        case .operations: await OperationsStory(stage: stage, package: package).play(to: &teller)
        case .relyingParty: await RelyingPartyStory(stage: stage).play(to: &teller)
        case .passkeys: await PasskeysStory(stage: stage).play(to: &teller)
        case .movingOver: await MovingOverStory(stage: stage).play(to: &teller)
        }
        return teller.steps
    }
}

enum DemoStory: String, ExpressibleByArgument, CaseIterable, Sendable {
    case signIn = "sign-in"
    case outOfBand = "out-of-band"
    case recovery
    case attested
    case relyingParty = "relying-party"
    case passkeys
    case backup
    case operations
    case movingOver = "moving-over"

    var others: [DemoStory] { Self.allCases.filter { $0 != self } }

    var summary: String {
        switch self {
        case .signIn: "a phone registers and signs in with a PIN, attacks fail, the phone is deregistered"
        case .outOfBand:
            "a laptop begins, a phone confirms: QR code, push with digits, a payment, and what can go wrong"
        case .recovery: "a PIN is locked, a phone is lost, a new one comes: the ways back, with two devices of one user"
        case .passkeys:
            "a passkey beside a phone: registered, refused while the phone is there, let in after a wait, removed (Chromium)"
        case .relyingParty: "a web shop without Signet code signs in by code and by call, is paid, and keeps a receipt"
        case .backup:
            "a running server is backed up, its database is lost and restored, phones sign in, tokens stay ended"
        case .operations:
            "people are imported, a lost phone is removed at the console, a person is erased, the server is upgraded"
        case .movingOver:
            "another installation is left: policies, metadata and 10,000 keys are taken over, and a phone goes on as before"
        case .attested: "a policy takes only keys in chips: a phone proves its key, one with keys in files is refused"
        }
    }

    var protection: String {
        switch self {
        case .signIn, .outOfBand, .recovery, .relyingParty, .passkeys, .backup, .operations, .movingOver:
            "Keys are protected by software only here; a real phone keeps them in its chip."
        case .attested: "The chip is a software TPM here, and its manufacturer an authority made for the demo."
        }
    }
}

struct DemoStep: Sendable {
    /// Stable identifier of the step in the JSON output.
    var name: String
    var sentence: String
    var isAsTold: Bool
    var milliseconds: Int

    var json: JSONValue {
        .object(
            JSONObject([
                "name": .string(name), "ok": .bool(isAsTold), "milliseconds": .integer(milliseconds),
                "detail": .string(sentence),
            ]))
    }
}
