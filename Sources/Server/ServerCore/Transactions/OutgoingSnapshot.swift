/// Rows of outgoing messages, and the places of the subscribers of the audit; for reading.
///
/// Part of ``ServerSnapshot``. Methods throw ``ServerTransactionFailure`` when a statement fails, and nothing else.
/// Whether something has expired is judged by the rules, never by the storage.
package protocol OutgoingSnapshot {
    /// Waiting messages whose time has come at `now`, oldest first, of each receiver at most
    /// ``OutgoingMessage/queueLength``: those whose time came first.
    ///
    /// Of webhooks the oldest, and none before which an older one of the same receiver waits for a later time.
    func dueMessages(at now: Timestamp, limit: Int) throws(ServerTransactionFailure) -> [OutgoingMessage]

    /// Messages of a state, newest first, for commands.
    func messages(
        _ state: OutgoingMessage.State, limit: Int
    ) throws(ServerTransactionFailure) -> [OutgoingMessage]

    /// The message of this name, in whatever state; nil when there is none.
    func message(_ id: OutgoingMessageID) throws(ServerTransactionFailure) -> OutgoingMessage?

    /// Sequence of the last record that a subscriber has had of each chain.
    func places(of subscriber: String) throws(ServerTransactionFailure) -> [String: Int64]
}
