import CommandSupport
import Octets
import StrictJSON

/// Decision of the user about an out-of-band operation, given in advance by options instead of at a prompt.
struct OperationReply: Sendable {
    enum Verdict: Sendable {
        case approve
        case deny
        /// Denies the operation, and reports to the server that the user did not begin it.
        case report
    }

    var verdict = Verdict.approve
    /// Account that answers; nil for the only possible one.
    var account: String?
    /// Channel-linking digits from the screen where the operation was begun.
    var digits: Sensitive<String>?
    /// Whether a deregistration is accepted where no prompt is possible.
    var agreesToDeregistration = false

    static let approval = OperationReply()
}

enum OperationReport: Sendable {
    /// An authenticator was registered, for these users.
    case registered([String])
    /// The user has authenticated, or confirmed a transaction; the text is the kind of session.
    case signedIn(String)
    /// The server has removed registrations of this phone.
    case deregistered
    case denied(isReported: Bool)

    var outcome: CommandReport.Outcome {
        switch self {
        case .registered(let users):
            CommandReport.Outcome(
                text: "\(users.map(ForeignText.name).joined(separator: ", ")) is registered on this phone.",
                result: JSONObject([
                    "operation": .string("registration"), "usernames": .array(users.map(JSONValue.string)),
                ]))
        case .signedIn(let session):
            CommandReport.Outcome(
                text: "Confirmed: the other screen goes on (\(session) for this phone).",
                result: JSONObject(["operation": .string("authentication"), "session": .string(session)]))
        case .deregistered:
            CommandReport.Outcome(
                text: "The server has taken registrations of this phone back; they are gone here as well.",
                result: JSONObject(["operation": .string("deregistration")]))
        case .denied(let isReported):
            CommandReport.Outcome(
                text: isReported ? "Refused, and the server knows that it was not you." : "Refused.",
                result: JSONObject(["operation": .string("denied"), "reported": .bool(isReported)]))
        }
    }
}
