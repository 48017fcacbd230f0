import Synchronization

/// Places in the audit of the subscribers of this process: records that one of them has still to read are not pruned.
package final class SubscriberOffsets: Sendable {
    private let transactions: any ServerTransactionRunner
    private let names = Mutex<Set<String>>([])

    package init(transactions: any ServerTransactionRunner) { self.transactions = transactions }

    package func add(_ subscribers: [String]) { names.withLock { $0.formUnion(subscribers) } }

    /// The record up to which a chain may be pruned, at most `head`; nil when nothing may be.
    func bounded(
        _ head: AuditRecord.Head, of chain: String, in audit: AuditService
    ) async throws(ServerError) -> AuditRecord.Head? {
        let names = names.withLock { $0 }
        let lowest = try await transactions.read { snapshot throws(ServerTransactionFailure) in
            var lowest = head.sequence
            for name in names { lowest = min(lowest, try snapshot.places(of: name)[chain] ?? 0) }
            return lowest
        }
        if lowest == head.sequence { return head }
        guard lowest > 0 else { return nil }
        // Nil when the place lies before the start of the chain: then there is nothing to prune.
        let record = try await audit.records(of: chain, after: lowest - 1, limit: 1).first
        return record?.sequence == lowest ? record?.head : nil
    }
}
