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
