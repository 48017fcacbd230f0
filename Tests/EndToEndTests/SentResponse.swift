import TestSupport
import UAF

/// A response that a phone has sent at least once, and what the server has said to it in all its life.
struct SentResponse {
    /// Where it goes.
    let path: String
    /// What is sent, the same octets every time.
    let body: [UInt8]
    /// What it registers; nil for the response to an authentication request.
    let registering: SyntheticAuthenticator?
    /// How often it was accepted: answered with 1200, or refused because an answer that got lost had accepted it.
    var acceptedCount = 0
    /// Other verdicts on it.
    var refusals: [StatusCode] = []
    /// Whether no verdict on it is known, since the server died first.
    var isOpen = true
}
