/// Positions up to which the subscribers of the audit have read.
///
/// Part of ``ServerTransaction``. Methods throw ``ServerTransactionFailure`` when a statement fails, and nothing else. One
/// that returns whether it has written compares in the statement that writes, so that only one of two processes succeeds.
package protocol SubscriberRows: SubscriberSnapshot {
    /// Moves the place of a subscriber in a chain; false when it is another than `known`, nil for none.
    func movePlace(
        of subscriber: String, in chain: String, from known: Int64?, to sequence: Int64
    ) throws(ServerTransactionFailure) -> Bool

    /// Removes all places of a subscriber; false when it has none.
    func removePlaces(of subscriber: String) throws(ServerTransactionFailure) -> Bool
}

/// Positions up to which the subscribers of the audit have read; for reading.
///
/// Part of ``ServerSnapshot``.
package protocol SubscriberSnapshot {
    /// Names of the subscribers with a place, in order.
    func subscribers() throws(ServerTransactionFailure) -> [String]

    /// Sequence of the last record that a subscriber has had of each chain.
    func places(of subscriber: String) throws(ServerTransactionFailure) -> [String: Int64]
}
