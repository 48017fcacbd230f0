import CommandSupport
import Foundation
import MobileAuthentication
import StrictJSON

struct DoctorFinding: Sendable {
    enum Verdict: String, Sendable {
        /// No problem.
        case well
        /// A problem for some phones only.
        case weak
        /// A problem that prevents use.
        case ill
    }

    /// Stable identifier of the finding in the JSON output.
    var name: String
    var verdict: Verdict
    var observation: String
    var advice: String?

    static func flavor(_ flavor: MetaData.Flavor) -> DoctorFinding {
        switch flavor {
        case .release:
            DoctorFinding(name: "flavor", verdict: .well, observation: "This is the release flavour of the SDK.")
        case .debug:
            DoctorFinding(
                name: "flavor", verdict: .weak,
                observation: "This is the debug flavour of the SDK: it takes certificates of any issuer, talks to "
                    + "loopback and private hosts only, and runs no guards.",
                advice: "Build without the trait DebugFlavor for anything but development.")
        }
    }

    /// Finding about a registration that its server has not answered; the phone keeps its key and does not use it.
    static func unanswered(_ account: any Account) -> DoctorFinding {
        DoctorFinding(
            name: "pending", verdict: .weak,
            observation: "\(account.server.baseUrl.absoluteString) has not answered the registration of "
                + "\(ForeignText.name(account.username)); its key waits here, unused.",
            advice: "Register again, or forget it with signet device delete-local --user "
                + "\(ShellWord.quoted(account.username)).")
    }

    var text: String {
        let mark =
            switch verdict {
            case .well: "✔"
            case .weak: "!"
            case .ill: "✘"
            }
        return "\(mark) \(observation)" + (advice.map { "\n  → \($0)" } ?? "")
    }

    var json: JSONValue {
        .object(
            JSONObject([
                "name": .string(name), "ok": .bool(verdict != .ill), "verdict": .string(verdict.rawValue),
                "observation": .string(observation), "advice": advice.map(JSONValue.string) ?? .null,
            ]))
    }
}
