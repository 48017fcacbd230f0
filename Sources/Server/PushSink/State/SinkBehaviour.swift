import Octets
import StrictJSON

/// Behaviour towards messages that a test has set.
struct SinkBehaviour: Hashable, Sendable {
    /// Kind of response.
    enum Answer: String, Hashable, Sendable, CaseIterable {
        case normal
        /// The application was removed (404, UNREGISTERED).
        case unregistered
        /// The service is overloaded (503).
        case unavailable
        /// The message is not acceptable (400, INVALID_ARGUMENT).
        case refused
        /// The access token is not taken any more (401).
        case unauthorized
        case slow
    }

    let answer: Answer
    /// For messages to this registration token only; nil: for all.
    let registrationToken: Sensitive<String>?
    /// Number of messages it applies to; nil: until it is replaced.
    var count: Int?
    /// `Retry-After` of ``Answer/unavailable``, in seconds; nil: without.
    let retryAfterSeconds: Int?
    /// The while of ``Answer/slow``.
    let delay: Duration
}

extension SinkBehaviour {
    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        guard let answer = Answer(rawValue: try members.string("answer")) else {
            throw JSONTypeError(path: ["answer"], .invalidForm)
        }
        let count: Int? = try members.optionalInteger("count")
        // It is counted down: below zero it would run past the least number.
        guard count.map({ $0 >= 0 }) ?? true else { throw JSONTypeError(path: ["count"], .outOfRange) }
        self.init(
            answer: answer, registrationToken: try members.optionalString("registrationToken").map(Sensitive.init),
            count: count,
            retryAfterSeconds: try members.optionalInteger("retryAfterSeconds"),
            delay: .milliseconds(min(max(try members.optionalInteger("delayMilliseconds") ?? 60_000, 0), 3_600_000)))
    }
}
