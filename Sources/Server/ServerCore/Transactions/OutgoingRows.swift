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

/// Rows of outgoing messages, and the places of the subscribers of the audit.
///
/// Part of ``ServerTransaction``. Methods throw ``ServerTransactionFailure`` when a statement fails, and nothing else. One
/// that returns whether it has written compares in the statement that writes, so that of two processes one succeeds.
package protocol OutgoingRows: OutgoingSnapshot {
    /// Adds a message; nothing happens when it is there.
    func insert(_ message: OutgoingMessage) throws(ServerTransactionFailure)

    /// Writes state, attempts, next time and failure of a message; false when it has other attempts than `known`.
    func update(_ message: OutgoingMessage, attempts known: Int) throws(ServerTransactionFailure) -> Bool

    /// Removes a message that was delivered; false when there is none.
    func removeMessage(_ id: OutgoingMessageID) throws(ServerTransactionFailure) -> Bool

    /// Forgets some `limit` dead messages made before `time`; returns how many.
    func removeDeadMessages(madeBefore time: Timestamp, limit: Int) throws(ServerTransactionFailure) -> Int

    /// Moves the place of a subscriber in a chain; false when it is another than `known`, nil for none.
    func movePlace(
        of subscriber: String, in chain: String, from known: Int64?, to sequence: Int64
    ) throws(ServerTransactionFailure) -> Bool
}
