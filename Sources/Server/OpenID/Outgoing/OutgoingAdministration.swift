package import ServerCore
import UAFService

/// Administration of outgoing messages; what is changed has a record in the audit.
package struct OutgoingAdministration: Sendable {
    private let transactions: any OpenIDTransactionRunner

    package init(_ server: OpenIDServer) {
        transactions = server.transactions
    }

    /// Messages of a state, newest first, at most `limit`.
    ///
    /// Throws ``ServerError/storageUnavailable``.
    package func messages(
        _ state: OutgoingMessage.State, limit: Int
    ) async throws(ServerError) -> [OutgoingMessage] {
        try await transactions.read { snapshot throws(ServerTransactionFailure) in
            try snapshot.messages(state, limit: limit)
        }
    }

    /// Change of a message that the transaction holds; false when it is being sent.
    package typealias Change =
        @Sendable (OutgoingMessage, Timestamp, any OpenIDTransaction)
        throws(ServerTransactionFailure) -> Bool

    /// Lets a message be tried again at once, from its first try on.
    package static let retry: Change = { message, now, transaction throws(ServerTransactionFailure) in
        var again = message
        again.state = .waiting
        again.attempts = 0
        again.nextAttemptAt = now
        guard try transaction.update(again, attempts: message.attempts) else { return false }
        try record(message, "retried", now, transaction)
        return true
    }

    package static let drop: Change = { message, now, transaction throws(ServerTransactionFailure) in
        try transaction.endGrant(of: message, at: now)
        guard try transaction.removeMessage(message.id) else { return false }
        try record(message, "dropped", now, transaction)
        return true
    }

    private static func record(
        _ message: OutgoingMessage, _ word: String, _ now: Timestamp, _ transaction: any OpenIDTransaction
    ) throws(ServerTransactionFailure) {
        var event = AuditEvent(.outgoingMessageRetried, at: now)
        event.reason = "\(message.kind.rawValue) \(message.id.text) \(word)"
        try transaction.append(event)
    }
}
