/// Proof of the records of a chain.
struct AuditProof: Sendable {
    /// Nil where only hashes and signed ends can be followed.
    let key: AuditKey?
    /// End that was signed; nil for a chain without one.
    let end: AuditHeads.End?
}

/// Walk along a chain, record by record, that names what is not as servers have written it and goes on behind it.
struct AuditWalk {
    /// Number of the last record.
    private(set) var position: Int64
    private(set) var breaks: [AuditRecord.Break] = []
    /// True when the chain does not go on from its signed end.
    private(set) var isCut = false
    /// Number of records without a fault, with those that were pruned.
    private(set) var intactCount: Int64

    private let chain: String
    private let proof: AuditProof?
    /// Hash to which the next record has to be tied; nil behind a record with a fault, which is named already.
    private var link: AuditHash?

    /// Begins behind `start`, which may be the signed end.
    ///
    /// Without `proof` only the hashes are followed.
    init(_ chain: String, after start: AuditRecord.Head?, _ proof: AuditProof? = nil) {
        self.chain = chain
        self.proof = proof
        position = start?.sequence ?? 0
        intactCount = position
        link = start?.hash ?? AuditRecord.origin
    }

    mutating func follow(_ record: AuditRecord) {
        if record.sequence > position + 1 {
            note("missing", position + 1, through: record.sequence - 1)
            link = nil
        }
        let fault = fault(of: record)
        if let fault { note(fault, record.sequence) } else { intactCount += 1 }
        position = record.sequence
        link = fault == nil ? record.hash : nil
    }

    private mutating func fault(of record: AuditRecord) -> String? {
        if let damage = record.damage { return damage.text }
        guard record.isWhole else { return "changed since it was written" }
        if let link, link != record.previousHash {
            if position == proof?.end?.head.sequence { isCut = true }
            return "not the one that followed the record before"
        }
        guard let proof else { return nil }
        if let key = proof.key, record.sequence > proof.end?.lostThrough ?? 0, !key.proves(record) {
            return "not written by this server: its proof is wrong"
        }
        guard let head = proof.end?.head, head.sequence == record.sequence, head.hash != record.hash else { return nil }
        return "not the one that was signed"
    }

    /// Judges the end of the chain, of which `end` is the last record.
    mutating func finish(_ end: AuditRecord.Head?) {
        guard let signed = proof?.end?.head, signed.sequence > 0 else { return }
        let last = end?.sequence ?? 0
        if last < signed.sequence {
            isCut = true
            note("cut off after they were signed", last + 1, through: signed.sequence)
        } else if last == signed.sequence, end?.hash != signed.hash, breaks.isEmpty {
            isCut = true
            note("not the one that was signed", last)
        }
    }

    /// Names records, together with the ones before them where the same is wrong with those.
    mutating func note(_ reason: String, _ sequence: Int64, through last: Int64? = nil) {
        if let before = breaks.last, before.reason == reason, before.last + 1 == sequence {
            breaks[breaks.count - 1] = AuditRecord.Break(
                chainID: chain, sequence: before.sequence, through: last ?? sequence, reason: reason)
        } else {
            breaks.append(AuditRecord.Break(chainID: chain, sequence: sequence, through: last, reason: reason))
        }
    }
}
