import CommandSupport
import Octets
import StrictJSON

struct BegunOperation {
    let sessionID: String
    /// Channel-linking digits on the laptop's screen; nil without channel linking.
    let digits: Sensitive<String>?
    /// Link that the laptop shows; nil when the payload is delivered in another way.
    let link: Sensitive<String>?

    /// Reads the JSON result of `signet-server dispatch`.
    init(_ answer: JSONObject) {
        sessionID = answer.text("sessionId") ?? ""
        digits = answer.text("digits").map(Sensitive.init)
        link = answer.text("link").map(Sensitive.init)
    }

    /// Digits of the same length that differ from those shown.
    var wrongDigits: Sensitive<String> {
        Sensitive(
            String((digits?.reveal() ?? "").map { $0 == "9" ? "0" : Character(String((Int(String($0)) ?? 0) + 1)) }))
    }
}
