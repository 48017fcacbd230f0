import Metrics
import OpenID
import ServerCore

/// Metrics of outgoing messages: tries by kind and result, time of each, and how many were due at the last look.
///
/// Labels come from fixed lists. Every series is there from the beginning, so that its absence never means zero.
struct DeliveryMetrics: Sendable {
    /// Result of a try that was no success, beside the cases of ``OutgoingFailure``.
    enum Word: String, Sendable, CaseIterable {
        /// The request could not be made, as its signature or the database failed.
        case unmade
        /// The current configuration has no maker for messages of this kind.
        case unconfigured
    }

    private static let delivered = "delivered"
    private static var results: [String] {
        [delivered] + OutgoingFailure.allCases.map(\.rawValue) + Word.allCases.map(\.rawValue)
    }

    private let tries: [OutgoingMessage.Kind: [String: Counter]]
    private let dead: [OutgoingMessage.Kind: Counter]
    private let due = Meter(label: "signet_outgoing_due")
    private let seconds = Timer(label: "signet_outgoing_seconds")

    init() {
        var tries: [OutgoingMessage.Kind: [String: Counter]] = [:]
        var dead: [OutgoingMessage.Kind: Counter] = [:]
        for kind in OutgoingMessage.Kind.allCases {
            let label = ("kind", kind.rawValue)
            for result in Self.results {
                tries[kind, default: [:]][result] = Counter(
                    label: "signet_outgoing_tries_total", dimensions: [label, ("result", result)])
            }
            dead[kind] = Counter(label: "signet_outgoing_dead_total", dimensions: [label])
        }
        self.tries = tries
        self.dead = dead
    }

    func found(due count: Int) { due.set(count) }

    func delivered(_ kind: OutgoingMessage.Kind, after time: Duration) {
        tries[kind]?[Self.delivered]?.increment()
        took(time)
    }

    func failed(_ kind: OutgoingMessage.Kind, _ word: String, after time: Duration) {
        tries[kind]?[word]?.increment()
        took(time)
    }

    func gaveUp(_ kind: OutgoingMessage.Kind) { dead[kind]?.increment() }

    private func took(_ time: Duration) { seconds.recordNanoseconds(time.wholeMilliseconds &* 1_000_000) }
}
