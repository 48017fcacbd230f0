import Octets

extension AuditService {
    /// The records of a chain that are older than `time`, as the last of them; nil when there is none.
    package func prunable(
        _ chain: String, before time: Timestamp
    ) async throws(ServerError) -> AuditRecord.Head? {
        guard let last = try await log.lastRecord(of: chain, before: time) else { return nil }
        if let start = try await log.start(of: chain), start.sequence >= last.sequence { return nil }
        return last
    }

    /// Removes the front of a chain up to `head`; what is left still verifies.
    ///
    /// A record in the chain itself names the last record removed with its hash, so nobody can cut off more unseen.
    package func prune(
        _ chain: String, through head: AuditRecord.Head, at now: Timestamp
    ) async throws(ServerError) {
        var event = AuditEvent(.auditPruned, at: now)
        event.reason = Self.sealText(head)
        try await log.seal(chain, after: head, event: event)
        while try await log.deletePruned(of: chain, limit: MaintenanceService.batch) > 0 { await Task.yield() }
    }

    /// How a record names the head of what was pruned.
    static func sealText(_ head: AuditRecord.Head) -> String {
        "through \(head.sequence), hash \(Base64URL.encode(head.hash.octets))"
    }
}
