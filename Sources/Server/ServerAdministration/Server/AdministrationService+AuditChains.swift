import OpenID
import ServerCore
import StrictJSON
import UAFService

/// Proof of the audit, its signed ends, and the removal of old records.
extension AdministrationService {
    /// Faults that an answer names.
    private static let faultCount = 20

    /// Follows all chains from their beginning to their end.
    func verifyAudit(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        try call.requireQuery(of: [])
        let report = try await passing { () async throws(ServerError) in try await services.audit.verify() }
        let faults = [report.headsFault].compactMap(\.self) + report.breaks.map(\.text)
        return AdministrationAnswer([
            "unchanged": .bool(report.isUnchanged), "faultCount": .integer(faults.count),
            "faults": .array(faults.prefix(Self.faultCount).map { .string($0) }),
            "chains": .array(
                report.intactRecords.sorted { $0.key < $1.key }.map { chain, count in
                    .object([
                        "chain": .string(chain), "records": .integer(count),
                        "lostThrough": report.lostThrough[chain].map { .integer($0) },
                    ])
                }),
            "signedAt": report.signedAt.map { .string($0.iso8601) },
        ])
    }

    /// Signed ends of all chains, or of a day and the day before it, with the public keys that verify them.
    func auditHeads(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        try call.requireQuery(of: ["day"])
        let audit = services.audit
        let signed: (heads: String, before: String?, keys: [UInt8])?
        if let text = call.query["day"] {
            guard let day = AuditDay(text) else { throw .malformed(["day"]) }
            signed = try await passing { () async throws(ServerError) in try await audit.signedHeads(of: day) }
        } else {
            signed = try await passing { () async throws(ServerError) in
                try await audit.signedHeads().map { ($0.statement, nil, $0.keys) }
            }
        }
        guard let signed, let keys = try? JSONParser.parse(signed.keys) else {
            throw .rule(
                "no such ends are kept: they are signed once a minute, and a day is kept by the first signing after its "
                    + "midnight (UTC) until the retention removes it")
        }
        return AdministrationAnswer([
            "heads": .string(signed.heads), "before": signed.before.map { .string($0) }, "keys": keys,
        ])
    }

    // MARK: - Old records

    /// Last record of each chain that may go, and the subscribers for which others stay.
    func prunableAudit(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        try call.requireQuery(of: ["before"])
        guard let before = try call.time("before") else { throw .malformed(["before"]) }
        let limits = try await limits(before)
        return AdministrationAnswer([
            "chains": .array(
                limits.compactMap { chain, limit in
                    limit.head.map { .object(["chain": .string(chain), "through": .integer($0.sequence)]) }
                }),
            "unreadBy": .array(Set(limits.compactMap(\.limit.reader)).sorted().map { .string($0) }),
        ])
    }

    /// Removes the front of a chain, as far as it is old and read.
    func pruneAudit(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        let names: Set = ["chain", "through", "before"]
        let (chain, through, time) = try call.read(names) { members throws(JSONTypeError) -> (String, Int64, String) in
            (try members.string("chain"), try members.integer("through"), try members.string("before"))
        }
        guard let before = Timestamp(iso8601: time) else { throw .malformed(["before"]) }
        guard let end = try await limits(before).first(where: { $0.chain == chain })?.limit.head, through > 0,
            through <= end.sequence
        else { throw .rule("these records are newer, or gone, or a subscriber has not read them") }
        let now = services.ports.clock.now()
        let isDone = try await passing { () async throws(ServerError) in
            guard let last = try await services.audit.records(of: chain, after: through - 1, limit: 1).first,
                last.sequence == through, last.damage == nil
            else { return false }
            try await services.audit.prune(chain, through: last.head, at: now)
            return true
        }
        guard isDone else { throw .rule("the last record is gone or damaged") }
        return .done
    }

    func forgetSubscriber(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        let subscriber = call.object ?? ""
        let isForgotten = try await passing { () async throws(ServerError) in
            try await services.subscriberOffsets.forget(subscriber)
        }
        guard isForgotten else { throw .unknown }
        return .done
    }

    /// Limit of what may go of each chain that has records from before a time.
    private func limits(
        _ before: Timestamp
    ) async throws(AdministrationRefusal) -> [(chain: String, limit: SubscriberOffsets.Limit)] {
        guard before <= services.ports.clock.now() else {
            throw .rule("this day is in the future; name one that has begun")
        }
        return try await passing { () async throws(ServerError) in
            let (audit, offsets) = (services.audit, services.subscriberOffsets)
            var limits: [(chain: String, limit: SubscriberOffsets.Limit)] = []
            for chain in try await audit.chains() {
                guard let old = try await audit.prunable(chain, before: before) else { continue }
                limits.append((chain, try await offsets.limit(old, of: chain, in: audit)))
            }
            return limits
        }
    }
}
