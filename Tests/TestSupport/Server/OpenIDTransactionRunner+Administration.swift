package import OpenID
package import ServerCore

/// Changes of administrators, each in a transaction of its own.
extension ClientAdministration {
    /// Disables or enables a client.
    package func setDisabled(
        _ isDisabled: Bool, _ id: ClientID, at now: Timestamp, by transactions: any OpenIDTransactionRunner
    ) async throws(ServerError) -> Bool {
        try await transactions.transaction { transaction throws(ServerTransactionFailure) in
            try setDisabled(isDisabled, id, at: now, in: transaction)
        }
    }
}

extension OpenIDTransactionRunner {
    /// Drops an outgoing message; false when there is none, or it is being sent.
    package func dropMessage(_ id: OutgoingMessageID, at now: Timestamp) async throws(ServerError) -> Bool {
        try await transaction { transaction throws(ServerTransactionFailure) in
            guard let message = try transaction.message(id) else { return false }
            return try OutgoingAdministration.drop(message, now, transaction)
        }
    }
}
