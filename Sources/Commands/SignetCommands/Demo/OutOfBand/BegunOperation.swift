import StrictJSON

/// Out-of-band operation that a laptop has begun.
struct BegunOperation {
    /// Session ID with which the laptop queries the status.
    let sessionID: String
    /// The digits that the laptop shows; nil for none.
    let digits: String?
    /// The link that the laptop shows; nil for none.
    let link: String?

    /// Reads the JSON result of `signet-server dispatch`.
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
