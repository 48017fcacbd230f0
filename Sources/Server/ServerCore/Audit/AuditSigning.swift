import Synchronization

/// Signs the ends of the audit's chains, so that records that are cut off, or written anew up to the end, are noticed.
///
/// Each time it follows the records that have come since. Where a chain does not go on from the end that was signed, that end
/// stays in the statement, as the evidence.
package final class AuditSigning: Sendable {
    /// Time between two statements.
    package static let interval: Duration = .seconds(60)
    /// Time after the first start in which the first statement is made.
    private static let beginning: Duration = .seconds(3_600)

    private struct State {
        var lastRound: Timestamp?
        /// The last statement that this process has made.
        var signed: AuditHeads?
        /// Chains that do not go on from their signed end.
        var broken: Set<String> = []
    }

    private let log: any AuditLog
    private let keys: KeyService
    private let clock: any WallClock
    private let damage: AuditDamage
    private let state = Mutex(State())

    package init(log: any AuditLog, keys: KeyService, clock: any WallClock, damage: AuditDamage) {
        self.log = log
        self.keys = keys
        self.clock = clock
        self.damage = damage
    }

    /// Has the records of this process proved, and makes the first statement of a new installation.
    ///
    /// A statement that is missing later is not made anew: its absence is the evidence.
    package func start() async throws(ServerError) {
        log.prove(with: try keys.auditKey())
        let made = try keys.current(.audit).createdAt
        guard clock.now() - made < Self.beginning, try await log.heads() == nil, try await log.chains().isEmpty
        else { return }
        try await sign([:], replacing: nil)
    }

    /// Begins with a new key after the old one was lost: what the chains hold by now stays without a proof of its own.
    package func startAnew() async throws(ServerError) {
        log.prove(with: try keys.auditKey())
        var ends: [String: AuditHeads.End] = [:]
        for chain in try await log.chains() {
            guard let head = try await log.end(of: chain) else { continue }
            ends[chain] = AuditHeads.End(head: head, lostThrough: head.sequence)
        }
        try await sign(ends, replacing: try await log.heads())
    }

    /// Makes a new statement where chains have grown, once in ``interval``; with `isLast` in any case.
    package func sign(isLast: Bool = false) async throws(ServerError) {
        let now = clock.now()
        let (last, own) = state.withLock { ($0.lastRound, $0.signed) }
        if !isLast, let last, now < last + Self.interval { return }
        let stored = try await log.heads()
        guard let known = stored.flatMap({ AuditHeads($0, signedBy: keys.publicKeys(of: .audit)) }) else {
            return damage.note(stored == nil ? AuditService.missingHeads : AuditService.foreignHeads)
        }
        var ends = known.chains
        for (chain, end) in own?.chains ?? [:] where (ends[chain]?.head.sequence ?? -1) < end.head.sequence {
            damage.note("\(chain): an earlier statement of the ends was put back")
            ends[chain] = end
        }
        for chain in Set(ends.keys).union(try await log.chains()).sorted() {
            guard !state.withLock({ $0.broken.contains(chain) }) else { continue }
            ends[chain] = try await extended(ends[chain], of: chain)
        }
        let (day, today) = (AuditDay(of: known.signedAt), AuditDay(of: now))
        // The last statement of a day is its end. Records since then belong to the next one, which keeps them longer.
        let closed = day == today ? nil : day
        if ends != known.chains || closed != nil { try await sign(ends, replacing: stored, closing: closed) }
        state.withLock { $0.lastRound = now }
    }

    /// Writes a statement; where another process has written one meanwhile, that one stays.
    private func sign(
        _ ends: [String: AuditHeads.End], replacing stored: String?, closing day: AuditDay? = nil
    ) async throws(ServerError) {
        let heads = AuditHeads(signedAt: clock.now(), chains: ends)
        let statement = try heads.signed(by: try keys.signer(for: .audit))
        guard try await log.setHeads(statement, replacing: stored, closing: day) else { return }
        state.withLock { $0.signed = heads }
    }

    /// The end of a chain that goes on from `known`; that one where it does not.
    private func extended(_ known: AuditHeads.End?, of chain: String) async throws(ServerError) -> AuditHeads.End? {
        let start = try await log.start(of: chain)
        let signed = known?.head
        let begin = (start?.sequence ?? 0) > (signed?.sequence ?? 0) ? start : signed
        let proof = AuditProof(key: try keys.auditKey(), end: known)
        let (walk, last) = try await AuditService(log: log).follow(chain, from: begin, proof)
        // Pruned meanwhile: the next round begins behind it.
        guard try await log.start(of: chain) == start else { return known }
        for finding in walk.breaks { damage.note(finding.text) }
        guard !walk.isCut else {
            state.withLock { _ = $0.broken.insert(chain) }
            return known
        }
        return last.map { AuditHeads.End(head: $0, lostThrough: known?.lostThrough ?? 0) }
    }
}
