/// The audit: who did what with which result, in chains that show every later change.
package protocol AuditLog: Sendable {
    /// Appends a record to the chain of this process.
    func append(_ event: AuditEvent) async throws(ServerError)

    /// Names of all chains.
    func chains() async throws(ServerError) -> [String]

    /// Records of one chain in order, at most `limit`, beginning after `sequence`.
    func records(of chain: String, after sequence: Int64, limit: Int) async throws(ServerError) -> [AuditRecord]
}
