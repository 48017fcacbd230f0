/// Walk along a chain, record by record, that names what is not as servers have written it and goes on behind it.
struct AuditWalk {
    /// Number of the last record.
    private(set) var position: Int64
    private(set) var breaks: [AuditRecord.Break] = []
    /// Number of the last record, less those with a fault.
    var intactCount: Int64 { position - breaks.reduce(0) { $0 + $1.last - $1.sequence + 1 } }

    private let chain: String
    /// Hash to which the next record has to be tied; nil behind a record with a fault, which is named already.
    private var link: AuditHash?

    init(_ chain: String, after start: AuditRecord.Head?) {
        self.chain = chain
        position = start?.sequence ?? 0
        link = start?.hash ?? AuditRecord.origin
    }

    mutating func follow(_ record: AuditRecord) {
        if record.sequence > position + 1 {
            note("missing", position + 1, through: record.sequence - 1)
            link = nil
        }
        let fault = fault(of: record)
        if let fault { note(fault, record.sequence) }
        position = record.sequence
        link = fault == nil ? record.hash : nil
    }

    private func fault(of record: AuditRecord) -> String? {
        if let damage = record.damage { return damage.text }
        guard record.isWhole else { return "changed since it was written" }
        if let link, link != record.previousHash { return "not the one that followed the record before" }
        return nil
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
