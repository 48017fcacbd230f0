package import OpenID
package import ServerCore

extension ClientAdministration {
    /// Disables or enables a client in a transaction of its own.
    package func setDisabled(
        _ isDisabled: Bool, _ id: ClientID, at now: Timestamp, by transactions: any OpenIDTransactionRunner
    ) async throws(ServerError) -> Bool {
        try await transactions.transaction { transaction throws(ServerTransactionFailure) in
            try setDisabled(isDisabled, id, at: now, in: transaction)
        }
    }
}
