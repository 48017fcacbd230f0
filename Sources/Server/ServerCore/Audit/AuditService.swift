import Octets

/// Checks that the audit was not changed.
package struct AuditService: Sendable {
    private static let pageSize = 1000

    let log: any AuditLog

    package init(log: any AuditLog) {
        self.log = log
    }

    /// Result of a check of all chains.
    package struct Report: Sendable, Hashable {
        /// Number of the last record of each chain, less those with a fault.
        package var intactRecords: [String: Int64] = [:]
        /// Everything that is not as servers have written it, chain by chain.
        package var breaks: [AuditRecord.Break] = []
    }

    /// Follows every chain from its beginning to its end, also behind what was changed.
    package func verify() async throws(ServerError) -> Report {
        var report = Report()
        for chain in try await log.chains() {
            let walk = try await verify(chain)
            report.intactRecords[chain] = walk.intactCount
            report.breaks += walk.breaks
        }
        return report
    }

    /// Names of the chains in their order, one for each instance that has written.
    package func chains() async throws(ServerError) -> [String] { try await log.chains().sorted() }

    package func records(
        of chain: String, after sequence: Int64 = 0, limit: Int = 1000
    ) async throws(ServerError) -> [AuditRecord] {
        try await log.records(of: chain, after: sequence, limit: limit)
    }

    /// A chain whose front was pruned begins after the record that is named, with its hash, by a record in the chain.
    private func verify(_ chain: String) async throws(ServerError) -> AuditWalk {
        let start = try await log.start(of: chain)
        let seal = start.map { Array(Self.sealText($0).utf8) }
        var isSealed = start == nil
        var walk = AuditWalk(chain, after: start)
        while true {
            let page = try await log.records(of: chain, after: walk.position, limit: Self.pageSize)
            for record in page {
                walk.follow(record)
                if let seal, !isSealed { isSealed = Self.isSeal(record.event, seal) }
            }
            guard page.count < Self.pageSize else { continue }
            if !isSealed, let start {
                walk.note("records before it were removed without a record of it", start.sequence)
            }
            return walk
        }
    }

    private static func isSeal(_ event: [UInt8], _ seal: [UInt8]) -> Bool {
        event.contains(Array(#""event":"\#(AuditEvent.Kind.auditPruned.rawValue)""#.utf8)) && event.contains(seal)
    }
}

extension AuditService {
    /// The records of a chain that are older than `time`, as the last of them; nil when there is none.
    package func prunable(
        _ chain: String, before time: Timestamp
    ) async throws(ServerError) -> AuditRecord.Head? {
        var position = try await log.start(of: chain)?.sequence ?? 0
        var last: AuditRecord.Head?
        while true {
            let page = try await log.lastRecord(of: chain, before: time, after: position, limit: Self.pageSize)
            last = page.head ?? last
            guard !page.isLast, let head = page.head else { return last }
            position = head.sequence
        }
    }

    /// Removes the front of a chain up to `head`; what is left still verifies.
    ///
    /// A record in the chain itself names the last record removed with its hash, so attackers cannot cut off more
    /// unseen.
    package func prune(
        _ chain: String, through head: AuditRecord.Head, at now: Timestamp
    ) async throws(ServerError) {
        try await seal(chain, through: head, at: now)
        _ = try await deletePruned(of: chain)
    }

    /// Lets a chain begin after `head`; what lies before it is deleted by ``deletePruned(of:during:)``.
    func seal(_ chain: String, through head: AuditRecord.Head, at now: Timestamp) async throws(ServerError) {
        var event = AuditEvent(.auditPruned, at: now)
        event.reason = Self.sealText(head)
        try await log.seal(chain, after: head, event: event)
    }

    /// Deletes the records before the beginning of a chain, for `time` at most; returns whether none is left.
    func deletePruned(of chain: String, during time: Duration? = nil) async throws(ServerError) -> Bool {
        try await BatchDeletion(during: time).run { () async throws(ServerError) in
            try await log.deletePruned(of: chain, limit: BatchDeletion.batch)
        }
    }

    static func sealText(_ head: AuditRecord.Head) -> String {
        "through \(head.sequence), hash \(Base64URL.encode(head.hash.octets))"
    }
}
