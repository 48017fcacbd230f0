/// The audit: who did what with which result, in chains that show every later change.
package protocol AuditLog: Sendable {
    /// Appends a record to the chain of this process.
    func append(_ event: AuditEvent) async throws(ServerError)

    /// Names of all chains.
    func chains() async throws(ServerError) -> [String]

    /// The last record that was pruned from the front of a chain; nil while the chain is whole.
    func start(of chain: String) async throws(ServerError) -> AuditRecord.Head?

    /// The last record at the front of a chain before which all are older than `time`; nil when the first one is not.
    func lastRecord(of chain: String, before time: Timestamp) async throws(ServerError) -> AuditRecord.Head?

    /// Lets a chain begin after `head` and appends `event`, which names it, to the same chain; in one transaction.
    func seal(_ chain: String, after head: AuditRecord.Head, event: AuditEvent) async throws(ServerError)

    /// Deletes `limit` records before the start of a chain at most, and returns how many.
    func deletePruned(of chain: String, limit: Int) async throws(ServerError) -> Int

    /// Records of one chain in order, at most `limit`, beginning after `sequence`.
    func records(of chain: String, after sequence: Int64, limit: Int) async throws(ServerError) -> [AuditRecord]
}
