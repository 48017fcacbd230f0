import StrictJSON

/// An operation that a laptop has begun.
struct BegunOperation {
    /// What the laptop asks for the status with.
    let sessionID: String
    /// The digits that the laptop shows; nil for none.
    let digits: String?
    /// The link that the laptop shows; nil for none.
    let link: String?

    /// Reads what `signet-server dispatch` answers.
    init(_ answer: JSONObject) {
        sessionID = answer.text("sessionId") ?? ""
        digits = answer.text("digits")
        link = answer.text("link")
    }

    /// Digits of the same length that are not those shown.
    var wrongDigits: String {
        String((digits ?? "").map { $0 == "9" ? "0" : Character(String((Int(String($0)) ?? 0) + 1)) })
    }
}
