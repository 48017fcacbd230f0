import StrictJSON

/// What a person has decided about an operation that a server has begun, before he is asked.
struct OperationReply: Sendable {
    /// Whether he wants it.
    enum Verdict: Sendable {
        /// Yes.
        case approve
        /// No.
        case deny
        /// No, and the server shall know that he did not begin it.
        case report
    }

    /// Whether he wants it.
    var verdict = Verdict.approve
    /// As whom he answers; nil for the only account that can.
    var account: String?
    /// The digits on the screen where the operation was begun.
    var digits: String?
    /// Whether registrations of this phone may go, where nobody can be asked.
    var agreesToDeregistration = false

    /// Yes, with everything else left open.
    static let approval = OperationReply()
}

/// How an operation that a server had begun ended on the phone.
enum OperationEnding: Sendable {
    /// An authenticator was registered, for these users.
    case registered([String])
    /// The user is signed in, or has confirmed; the text is the kind of session.
    case signedIn(String)
    /// The server has taken registrations of this phone back.
    case deregistered
    /// The person said no.
    case denied(isReported: Bool)

    /// The outcome of a command.
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
