import ServerCore
import StrictJSON
import UAF
import UAFService

/// The audit: questions, and its records as they are.
extension AdministrationService {
    func listAudit(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        let query = try await query(call)
        let (limit, place) = (try call.limit(among: 1...10_000), try call.place())
        if let position = call.query["position"] {
            guard place == nil else { throw .malformed(["position"]) }
            return try await nextAudit(query, limit: limit, behind: position)
        }
        let (answer, ends) = try await passing { () async throws(ServerError) in
            let ends = try await services.audit.ends()
            return (try await services.audit.newest(query, before: place, limit: limit), ends)
        }
        return AdministrationAnswer([
            "records": .array(answer.entries.map(\.json)), "next": answer.older.map { .string($0.text) },
            "older": .bool(answer.isCut), "unreadable": .integer(answer.unreadableCount),
            "position": .string(AuditPosition(ends).text),
        ])
    }

    /// The next records behind a position, for a follower.
    private func nextAudit(
        _ query: AuditQuery, limit: Int, behind text: String
    ) async throws(AdministrationRefusal) -> AdministrationAnswer {
        guard let position = AuditPosition(text: text) else { throw .malformed(["position"]) }
        let (entries, places) = try await passing { () async throws(ServerError) in
            var places = position.places
            return (try await services.audit.next(query, after: &places, limit: limit), places)
        }
        return AdministrationAnswer([
            "records": .array(entries.map(\.json)), "position": .string(AuditPosition(places).text),
        ])
    }

    /// Records of one chain in their order, one line each; the next page begins behind the last one.
    func auditRecords(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        try call.requireQuery(of: ["chain", "after", "limit"])
        guard let after = Int64(call.query["after"] ?? "0"), after >= 0 else { throw .malformed(["after"]) }
        let limit = try call.limit(1_000)
        guard let chain = call.query["chain"] else { throw .malformed(["chain"]) }
        let lines = try await passing { () async throws(ServerError) -> [String]? in
            guard try await services.audit.chains().contains(chain) else { return nil }
            let records = try await services.audit.records(of: chain, after: after, limit: limit)
            let opened = try await services.audit.sealedMembers(of: records)
            return records.map { $0.exportLine(opened: opened[$0.sequence]) }
        }
        guard let lines else { throw .unknown }
        return AdministrationAnswer(lines: lines)
    }

    func auditChains(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AdministrationAnswer {
        try call.requireQuery(of: [])
        let (ends, subscribers) = try await passing { () async throws(ServerError) in
            (try await services.audit.ends(), try await services.subscriberOffsets.subscribers())
        }
        return AdministrationAnswer([
            "chains": .array(
                ends.sorted { $0.key < $1.key }.map {
                    .object(["chain": .string($0.key), "sequence": .integer($0.value)])
                }), "subscribers": .array(subscribers.map { .string($0) }),
        ])
    }

    private func query(_ call: AdministrationCall) async throws(AdministrationRefusal) -> AuditQuery {
        try call.requireQuery(of: ["user", "device", "client", "kind", "since", "until", "after", "position", "limit"])
        var query = AuditQuery()
        (query.device, query.client) = (call.query["device"], call.query["client"])
        if let text = call.query["user"] {
            let id = UserID(text: text)
            // A user who was removed has their name in the records only.
            let named = try await read { snapshot throws(ServerTransactionFailure) -> User? in
                if let id, let user = try snapshot.user(id) { return user }
                return try UserName(text).flatMap { name throws(ServerTransactionFailure) in
                    try snapshot.user(named: name)
                }
            }
            query.userID = named?.id ?? id
            query.username = named?.name.text ?? (id == nil ? text : nil)
        }
        for word in call.query["kind"]?.split(separator: ",") ?? [] {
            guard let kind = AuditEvent.Kind(rawValue: String(word)) else { throw .malformed(["kind"]) }
            query.kinds.insert(kind)
        }
        query.since = try call.time("since")
        query.until = try call.time("until")
        return query
    }
}

extension AdministrationCall {
    /// Place where a page of older records begins, as an earlier page has named it.
    fileprivate func place() throws(AdministrationRefusal) -> AuditCursor? {
        guard let text = query["after"] else { return nil }
        guard let cursor = AuditCursor(text: text) else { throw .malformed(["after"]) }
        return cursor
    }

    func time(_ name: String) throws(AdministrationRefusal) -> Timestamp? {
        guard let text = query[name] else { return nil }
        guard let time = Timestamp(iso8601: text) else { throw .malformed([name]) }
        return time
    }
}
