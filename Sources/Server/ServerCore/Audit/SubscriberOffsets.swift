/// Places in the audit of all subscribers that have begun, of whichever process: what one of them has still to read is not
/// pruned.
package struct SubscriberOffsets: Sendable {
    /// Limit of pruning a chain.
    package struct Limit: Sendable, Hashable {
        /// The last record that may go; nil when none may.
        package let head: AuditRecord.Head?
        /// Subscriber for which later records stay; nil where none does.
        package let reader: String?
    }

    private let transactions: any ServerTransactionRunner

    package init(transactions: any ServerTransactionRunner) { self.transactions = transactions }

    /// Limit for a chain that is to be pruned through `head`.
    ///
    /// A subscriber without a place in it has read nothing of it.
    package func limit(
        _ head: AuditRecord.Head, of chain: String, in audit: AuditService
    ) async throws(ServerError) -> Limit {
        let (lowest, reader) = try await transactions.read { snapshot throws(ServerTransactionFailure) in
            var lowest = head.sequence
            var reader: String?
            for name in try snapshot.subscribers() {
                let place = try snapshot.places(of: name)[chain] ?? 0
                if place < lowest { (lowest, reader) = (place, name) }
            }
            return (lowest, reader)
        }
        guard let reader else { return Limit(head: head, reader: nil) }
        guard lowest > 0 else { return Limit(head: nil, reader: reader) }
        // None when the place lies before the start of the chain: then there is nothing to prune.
        let record = try await audit.records(of: chain, after: lowest - 1, limit: 1).first
        let isThere = record?.sequence == lowest && record?.damage == nil
        return Limit(head: isThere ? record?.head : nil, reader: reader)
    }

    /// Names of the subscribers that have begun, in order.
    package func subscribers() async throws(ServerError) -> [String] {
        try await transactions.read { snapshot throws(ServerTransactionFailure) in try snapshot.subscribers() }
    }

    /// Forgets how far a subscriber has read; false for one that has not begun.
    package func forget(_ subscriber: String) async throws(ServerError) -> Bool {
        try await transactions.transaction { transaction throws(ServerTransactionFailure) in
            try transaction.removePlaces(of: subscriber)
        }
    }
}
