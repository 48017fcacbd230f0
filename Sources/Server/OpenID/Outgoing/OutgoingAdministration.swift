package import ServerCore
import UAFService

/// Administration of outgoing messages; what is changed has a record in the audit.
package struct OutgoingAdministration: Sendable {
    private let transactions: any OpenIDTransactionRunner
    private let clock: any WallClock

    package init(_ server: OpenIDServer) {
        transactions = server.transactions
        clock = server.services.ports.clock
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

    /// Lets a message be tried again at once, from its first try on; false when there is none, or it is being sent.
    package func retry(_ id: OutgoingMessageID) async throws(ServerError) -> Bool {
        let now = clock.now()
        return try await change(id, "retried") { message, transaction throws(ServerTransactionFailure) in
            var again = message
            again.state = .waiting
            again.attempts = 0
            again.nextAttemptAt = now
            return try transaction.update(again, attempts: message.attempts)
        }
    }

    package func drop(_ id: OutgoingMessageID) async throws(ServerError) -> Bool {
        let now = clock.now()
        return try await change(id, "dropped") { message, transaction throws(ServerTransactionFailure) in
            try transaction.endGrant(of: message, at: now)
            return try transaction.removeMessage(message.id)
        }
    }

    private func change(
        _ id: OutgoingMessageID, _ word: String,
        _ body: @escaping @Sendable (OutgoingMessage, any OpenIDTransaction) throws(ServerTransactionFailure) -> Bool
    ) async throws(ServerError) -> Bool {
        let now = clock.now()
        return try await transactions.transaction { transaction throws(ServerTransactionFailure) in
            guard let message = try transaction.message(id), try body(message, transaction) else { return false }
            var event = AuditEvent(.outgoingMessageRetried, at: now)
            event.reason = "\(message.kind.rawValue) \(id.text) \(word)"
            try transaction.append(event)
            return true
        }
    }
}
