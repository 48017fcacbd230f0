package import ServerCore

/// Rows of outgoing messages, and the places of the subscribers of the audit; for reading.
///
/// Part of ``ServerSnapshot``. Methods throw ``ServerTransactionFailure`` when a statement fails, and nothing else.
/// Whether something has expired is judged by the rules, never by the storage.
package protocol OutgoingSnapshot {
    /// Receivers with waiting messages whose time has come at `now`, in no order.
    ///
    /// A webhook is due only when all older webhooks of the same receiver are due.
    func dueReceivers(at now: Timestamp) throws(ServerTransactionFailure) -> [DueReceiver]

    /// Waiting messages of a receiver whose time has come at `now`, at most ``OutgoingMessage/queueLength``: those first
    /// whose time came first.
    ///
    /// Of webhooks the oldest, and none before which an older one of the same receiver waits for a later time.
    func dueMessages(
        of receiver: OutgoingReceiver, at now: Timestamp
    ) throws(ServerTransactionFailure) -> [OutgoingMessage]

    /// Messages of a state, newest first, for commands.
    func messages(
        _ state: OutgoingMessage.State, limit: Int
    ) throws(ServerTransactionFailure) -> [OutgoingMessage]

    /// The message of this name, in whatever state; nil when there is none.
    func message(_ id: OutgoingMessageID) throws(ServerTransactionFailure) -> OutgoingMessage?
}
