import Logging
import OpenID
import ServerCore

/// Notes in the database about the tries of messages.
struct DeliveryLog: Sendable {
    let settings: OpenIDSettings.Outgoing
    let ports: DeliveryPorts

    /// Time after which a claimed message is tried again when no process has recorded how the try ended.
    private var claimTime: Duration { settings.rules.timeout + .seconds(20) }

    /// Counts a try before it is made: the message as it then stands; nil when another process has claimed it.
    func claim(_ message: OutgoingMessage) async throws(ServerError) -> OutgoingMessage? {
        var claimed = message
        claimed.attempts += 1
        claimed.nextAttemptAt = ports.clock.now() + claimTime
        let (written, known) = (claimed, message.attempts)
        let isOurs = try await ports.transactions.transaction { transaction throws(ServerTransactionFailure) in
            try transaction.update(written, attempts: known)
        }
        return isOurs ? written : nil
    }

    func remove(_ message: OutgoingMessage) async throws(ServerError) {
        _ = try await ports.transactions.transaction { transaction throws(ServerTransactionFailure) in
            try transaction.removeMessage(message.id)
        }
    }

    /// Notes a failed try, and gives the message up after the last one; the message as it stands from now on.
    func failed(_ message: OutgoingMessage, _ word: String) async throws(ServerError) -> OutgoingMessage {
        var failed = message
        let now = ports.clock.now()
        failed.lastFailure = word
        if let wait = wait(afterTries: message.attempts) {
            failed.nextAttemptAt = now + wait
        } else {
            failed.state = .dead
        }
        let written = failed
        var event = AuditEvent(.outgoingMessageGivenUp, at: now)
        event.reason = "\(message.kind.rawValue) \(word)"
        let record = event
        try await ports.transactions.transaction { transaction throws(ServerTransactionFailure) in
            guard try transaction.update(written, attempts: written.attempts), written.state == .dead else { return }
            try transaction.append(record)
        }
        if written.state == .dead { warn(of: written, word) }
        return written
    }

    /// Wait before the next try, a fifth more or less by chance; nil after the last one.
    private func wait(afterTries count: Int) -> Duration? {
        guard count >= 1, count <= settings.retries.count else { return nil }
        let chance = Int(ports.random.bytes(count: 1).first ?? 128)
        return settings.retries[count - 1] * (800 + 400 * chance / 255) / 1_000
    }

    private func warn(of message: OutgoingMessage, _ word: String) {
        ports.logger.warning(
            "outgoing message given up",
            metadata: [
                "id": "\(message.id)", "kind": "\(message.kind.rawValue)", "receiver": "\(message.destination)",
                "cause": "\(word)",
            ])
    }
}
