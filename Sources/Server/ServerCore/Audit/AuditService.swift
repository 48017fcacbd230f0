import JOSE
import Octets

/// Checks that the audit was not changed.
package struct AuditService: Sendable {
    static let pageSize = 1000

    static let missingHeads = "the signed statement of the ends is missing"
    static let foreignHeads = "the statement of the ends is not signed by this server"

    let log: any AuditLog
    /// Nil where only the hashes can be followed.
    private let keys: KeyService?

    package init(log: any AuditLog, keys: KeyService? = nil) {
        self.log = log
        self.keys = keys
    }

    /// Result of a check of all chains.
    package struct Report: Sendable, Hashable {
        /// Number of the last record of each chain, less those with a fault.
        package var intactRecords: [String: Int64] = [:]
        /// Everything that is not as servers have written it, chain by chain.
        package var breaks: [AuditRecord.Break] = []
        /// Time of the signed statement of the ends; nil without one that holds, and where no key was at hand.
        package var signedAt: Timestamp?
        /// Fault of that statement, in words.
        package var headsFault: String?
        /// Number of the last record of a chain that only a lost key could prove: records up to it are tied to those behind
        /// by their hashes and have no proof of their own.
        package var lostThrough: [String: Int64] = [:]
        package var isUnchanged: Bool { breaks.isEmpty && headsFault == nil }
    }

    /// Follows every chain from its beginning to its end, also behind what was changed.
    package func verify() async throws(ServerError) -> Report {
        var report = Report()
        let heads = try await heads(&report)
        let key = try keys?.auditKey()
        for chain in Set(try await log.chains()).union((heads?.chains ?? [:]).keys).sorted() {
            let end = heads?.chains[chain]
            let walk = try await verify(chain, key.map { AuditProof(key: $0, end: end) })
            report.intactRecords[chain] = walk.intactCount
            report.breaks += walk.breaks
            if let end, end.lostThrough > 0 { report.lostThrough[chain] = end.lostThrough }
        }
        return report
    }

    private func heads(_ report: inout Report) async throws(ServerError) -> AuditHeads? {
        guard let keys else { return nil }
        guard let statement = try await log.heads() else {
            report.headsFault = Self.missingHeads
            return nil
        }
        let heads = AuditHeads(statement, signedBy: keys.publicKeys(of: .audit))
        if heads == nil { report.headsFault = Self.foreignHeads }
        report.signedAt = heads?.signedAt
        return heads
    }

    /// Signed statement of the ends of all chains (compact JWS), with the public key that verifies it (JWK set, RFC 7517, 5);
    /// nil without one.
    package func signedHeads() async throws(ServerError) -> (statement: String, keys: [UInt8])? {
        guard let keys, let statement = try await log.heads(), let set = try? JWKS(keys.publicKeys(of: .audit)) else {
            return nil
        }
        return (statement, set.json)
    }

    /// Signed ends of a day and of the day before it, with the public keys that verify them; nil for a day that is not kept.
    package func signedHeads(
        of day: AuditDay
    ) async throws(ServerError) -> (heads: String, before: String?, keys: [UInt8])? {
        guard let keys, let heads = try await log.heads(of: day), let set = try? JWKS(keys.publicKeys(of: .audit))
        else { return nil }
        return (heads, try await log.heads(before: day)?.statement, set.json)
    }

    /// End of a chain on the last day before another one; nil where no day was kept, or the chain begins behind it.
    func end(of chain: String, before day: AuditDay) async throws(ServerError) -> (
        day: AuditDay, head: AuditRecord.Head
    )? {
        guard let keys, let (day, statement) = try await log.heads(before: day),
            let head = AuditHeads(statement, signedBy: keys.publicKeys(of: .audit))?.chains[chain]?.head,
            head.sequence > (try await log.start(of: chain)?.sequence ?? 0)
        else { return nil }
        return (day, head)
    }

    /// Names of the chains in their order, one for each instance that has written.
    package func chains() async throws(ServerError) -> [String] { try await log.chains().sorted() }

    package func records(
        of chain: String, after sequence: Int64 = 0, limit: Int = 1000
    ) async throws(ServerError) -> [AuditRecord] {
        try await log.records(of: chain, after: sequence, limit: limit)
    }

    /// A chain whose front was pruned begins after the record that is named, with its hash, by a record in the chain.
    private func verify(_ chain: String, _ proof: AuditProof?) async throws(ServerError) -> AuditWalk {
        let start = try await log.start(of: chain)
        let seal = start.map { Array(Self.sealText($0).utf8) }
        var isSealed = start == nil
        var (walk, _) = try await follow(chain, from: start, proof) { record in
            if let seal, !isSealed { isSealed = Self.isSeal(record.event, seal) }
        }
        if !isSealed, let start { walk.note("records before it were removed without a record of it", start.sequence) }
        return walk
    }

    /// Follows a chain from a record, or from its beginning, to its end; with the last record.
    func follow(
        _ chain: String, from begin: AuditRecord.Head?, _ proof: AuditProof?, look: (AuditRecord) -> Void = { _ in }
    ) async throws(ServerError) -> (walk: AuditWalk, last: AuditRecord.Head?) {
        var walk = AuditWalk(chain, after: begin, proof)
        var last = begin
        while true {
            let page = try await log.records(of: chain, after: walk.position, limit: Self.pageSize)
            for record in page {
                walk.follow(record)
                look(record)
            }
            last = page.last?.head ?? last
            guard page.count < Self.pageSize else { continue }
            walk.finish(try await log.end(of: chain))
            return (walk, last)
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
