import OpenID
import ServerCore

/// Failure of a try to send a message.
struct DeliveryFailure: Sendable, Hashable {
    /// Word for log, metric and dead letter.
    let word: String
    /// HTTP status with which the receiver refuses; nil where there was none.
    let status: Int?

    init(_ failure: OutgoingFailure) {
        word = failure.rawValue
        status = nil
    }

    init(_ word: DeliveryMetrics.Word) {
        self.word = word.rawValue
        status = nil
    }

    init(status: Int) {
        word = OutgoingFailure.refusedByStatus.rawValue
        self.status = status
    }

    /// Whether the next message of the receiver would fail as well, most likely: it is away, slow or asks for a pause, and does
    /// not refuse this one message.
    var isOfReceiver: Bool {
        guard let status else { return word != DeliveryMetrics.Word.unconfigured.rawValue }
        return status >= 500 || status < 400 || [401, 403, 404, 408, 429].contains(status)
    }
}
