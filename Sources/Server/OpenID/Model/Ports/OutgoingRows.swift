package import ServerCore

/// Rows of outgoing messages, and the places of the subscribers of the audit.
///
/// Part of ``ServerTransaction``. Methods throw ``ServerTransactionFailure`` when a statement fails, and nothing else.
/// A method that returns whether it has written compares in the statement that writes, so of two processes one
/// succeeds.
package protocol OutgoingRows: OutgoingSnapshot {
    /// Adds a message; nothing happens when it is there.
    func insert(_ message: OutgoingMessage) throws(ServerTransactionFailure)

    /// Writes state, attempts, next time and failure of a message; false when it has other attempts than `known`.
    func update(_ message: OutgoingMessage, attempts known: Int) throws(ServerTransactionFailure) -> Bool

    func removeMessage(_ id: OutgoingMessageID) throws(ServerTransactionFailure) -> Bool
}
