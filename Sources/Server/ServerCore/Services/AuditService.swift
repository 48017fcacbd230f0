/// Checks that nobody has changed the audit.
package struct AuditService: Sendable {
    /// Records read at a time.
    private static let pageSize = 1000

    private let log: any AuditLog

    /// Checks the audit in `log`.
    package init(log: any AuditLog) {
        self.log = log
    }

    /// What a check of all chains found.
    package struct Report: Sendable, Hashable {
        /// Records per chain that follow each other as they were written.
        package var intactRecords: [String: Int64] = [:]
        /// The first place in a chain that was changed.
        package var breaks: [AuditRecord.Break] = []
    }

    /// Follows every chain from its beginning.
    package func verify() async throws(ServerError) -> Report {
        var report = Report()
        for chain in try await log.chains() {
            let (count, fault) = try await verify(chain)
            report.intactRecords[chain] = count
            if let fault { report.breaks.append(fault) }
        }
        return report
    }

    /// Records of a chain in order, for export.
    package func records(
        of chain: String, after sequence: Int64 = 0, limit: Int = 1000
    ) async throws(ServerError) -> [AuditRecord] {
        try await log.records(of: chain, after: sequence, limit: limit)
    }

    private func verify(_ chain: String) async throws(ServerError) -> (Int64, AuditRecord.Break?) {
        var head: AuditRecord.Head?
        while true {
            let page = try await log.records(of: chain, after: head?.sequence ?? 0, limit: Self.pageSize)
            for record in page {
                do throws(AuditRecord.Break) {
                    try record.requireFollowing(head)
                } catch {
                    return (head?.sequence ?? 0, error)
                }
                head = record.head
            }
            if page.count < Self.pageSize { return (head?.sequence ?? 0, nil) }
        }
    }
}
