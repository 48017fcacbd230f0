import Logging
import OpenID
import ServerCore
import Synchronization

/// Log of receivers that do not take their messages: a line when it begins, one for each ``interval`` while it lasts, with
/// the number of failures, and one when a message is taken again.
final class DeliveryTroubles: Sendable {
    /// Time between two lines about a receiver that goes on failing.
    static let interval: Duration = .seconds(3_600)
    /// Time between two lines about one that fails, works and fails again.
    static let changeInterval: Duration = .seconds(300)

    private struct Trouble {
        var toldAt: Timestamp
        /// Whether the last line says that the receiver fails.
        var isOpen: Bool
        /// Failures since the last line.
        var failureCount: Int
    }

    private let logger: Logger
    private let troubles = Mutex<[OutgoingReceiver: Trouble]>([:])

    init(logger: Logger) { self.logger = logger }

    /// Notes a failed try; `message` is as it stands after it.
    func failed(_ message: OutgoingMessage, _ failure: DeliveryFailure, at now: Timestamp) {
        let count = troubles.withLock { troubles -> Int? in
            guard var known = troubles[message.receiver] else {
                troubles[message.receiver] = Trouble(toldAt: now, isOpen: true, failureCount: 0)
                return 1
            }
            defer { troubles[message.receiver] = known }
            known.failureCount += 1
            guard now - known.toldAt >= (known.isOpen ? Self.interval : Self.changeInterval) else { return nil }
            defer { known = Trouble(toldAt: now, isOpen: true, failureCount: 0) }
            return known.failureCount
        }
        guard let count else { return }
        var fields: Logger.Metadata = [
            "kind": "\(message.kind.rawValue)", "receiver": "\(message.destination)", "cause": "\(failure.word)",
            "failures": .stringConvertible(count), "id": "\(message.id)",
        ]
        if let status = failure.status { fields["status"] = .stringConvertible(status) }
        if message.state == .waiting { fields["nextTry"] = "\(message.nextAttemptAt.iso8601)" }
        logger.warning("outgoing message not taken", metadata: fields)
    }

    func delivered(to receiver: OutgoingReceiver, at now: Timestamp) {
        let count = troubles.withLock { troubles -> Int? in
            guard let known = troubles[receiver], known.isOpen else { return nil }
            troubles[receiver] = Trouble(toldAt: known.toldAt, isOpen: false, failureCount: 0)
            return known.failureCount
        }
        guard let count else { return }
        logger.notice(
            "outgoing messages are taken again",
            metadata: [
                "kind": "\(receiver.kind.rawValue)", "receiver": "\(receiver.name)",
                "failures": .stringConvertible(count),
            ])
    }
}

extension OutgoingMessage {
    var receiver: OutgoingReceiver { OutgoingReceiver(kind: kind, name: destination) }
}
