package import StrictJSON

/// Question to the audit: the records that have everything that it names.
package struct AuditQuery: Sendable, Hashable {
    /// Identifier of the user of the event.
    package var userID: UserID?
    /// Name of that user, which also finds the records of a user who was removed.
    package var username: String?
    /// Phone of the event: identifier of its dispatch target, or its name for other systems.
    package var device: String?
    /// Client or access key that asked for what happened, or client that was changed.
    package var client: String?
    /// Kinds of events; empty: all.
    package var kinds: Set<AuditEvent.Kind> = []
    package var since: Timestamp?
    /// Time before which an event took place.
    package var until: Timestamp?

    package init() {}

    /// Whether an entry has everything that the question names but the user, whose names it may have sealed.
    func matches(_ entry: AuditEntry) -> Bool {
        if let since, entry.at < since { return false }
        if let until, entry.at >= until { return false }
        if !kinds.isEmpty, !kinds.contains(where: { $0.rawValue == entry.kind }) { return false }
        return matchesDevice(entry) && matchesClient(entry)
    }

    /// Whether an opened entry is about the user.
    func matchesUser(_ entry: AuditEntry) -> Bool {
        guard let username else { return userID.map { entry["userId"] == $0.text } ?? true }
        if let userID, entry["userId"] == userID.text { return true }
        return entry["username"] == username || entry["externalId"] == username
    }

    private func matchesDevice(_ entry: AuditEntry) -> Bool {
        guard let device else { return true }
        return entry["dispatchTargetId"] == device || entry["authenticatorId"] == device
    }

    private func matchesClient(_ entry: AuditEntry) -> Bool {
        guard let client else { return true }
        return entry["clientId"] == client
            || entry["initiator"].map { ["client:\(client)", "key:\(client)"].contains($0) }
                ?? false
    }
}

/// Record of the audit, read.
package struct AuditEntry: Sendable, Hashable {
    package let chainID: String
    package let sequence: Int64
    package let at: Timestamp
    /// Kind of the event, which may be one of an earlier version.
    package let kind: String
    package internal(set) var event: JSONObject

    /// Reads a record; throws for one that no server has written so.
    package init(_ record: AuditRecord) throws(AuditRecord.Damage) {
        if let damage = record.damage { throw damage }
        guard case .object(let event)? = try? JSONParser.parse(record.event), case .string(let kind)? = event["event"]
        else { throw AuditRecord.Damage("its event is no JSON object with a name") }
        guard case .string(let time)? = event["ts"], let at = Timestamp(iso8601: time) else {
            throw AuditRecord.Damage("its event has no time")
        }
        (chainID, sequence, self.at, self.kind, self.event) = (record.chainID, record.sequence, at, kind, event)
    }

    /// Text member of the event.
    package subscript(name: String) -> String? {
        guard case .string(let text)? = event[name] else { return nil }
        return text
    }
}

extension AuditService {
    /// Time by which the records of a chain may stand out of order: processes that share it write as they end.
    private static let disorder: Duration = .seconds(600)

    /// Answer to a question.
    package struct Answer: Sendable {
        /// The records, oldest first.
        package var entries: [AuditEntry] = []
        /// Whether there are older ones.
        package var isCut = false
        /// Number of records that could not be read.
        package var unreadableCount = 0
    }

    /// The newest records that a question asks for, `limit` at most, of all chains in the order of their times.
    ///
    /// It reads backwards, and no further than the time from which the question asks. Throws
    /// ``ServerError/storageUnavailable``.
    package func newest(_ query: AuditQuery, limit: Int) async throws(ServerError) -> Answer {
        var answer = Answer()
        for chain in try await chains() {
            var found: [AuditEntry] = []
            var position = Int64.max
            while found.count <= limit {
                let page = try await log.records(of: chain, before: position, limit: Self.pageSize)
                guard let last = page.last else { break }
                position = last.sequence
                let entries = page.compactMap { try? AuditEntry($0) }
                answer.unreadableCount += page.count - entries.count
                found += try await opened(entries, for: query)
                if let since = query.since, let oldest = entries.last, oldest.at < since - Self.disorder { break }
            }
            answer.entries += found.prefix(limit + 1)
        }
        answer.entries.sort { ($0.at, $0.chainID, $0.sequence) < ($1.at, $1.chainID, $1.sequence) }
        answer.isCut = answer.entries.count > limit
        answer.entries.removeFirst(max(0, answer.entries.count - limit))
        return answer
    }

    /// Numbers of the last records of all chains: where ``next(_:after:)`` begins.
    package func ends() async throws(ServerError) -> [String: Int64] {
        var ends: [String: Int64] = [:]
        for chain in try await chains() { ends[chain] = try await log.end(of: chain)?.sequence }
        return ends
    }

    /// Records that a question asks for behind `places`, which it moves to the ends of the chains.
    package func next(
        _ query: AuditQuery, after places: inout [String: Int64]
    ) async throws(ServerError) -> [AuditEntry] {
        var entries: [AuditEntry] = []
        for chain in try await chains() {
            while true {
                let page = try await log.records(of: chain, after: places[chain] ?? 0, limit: Self.pageSize)
                guard let last = page.last else { break }
                places[chain] = last.sequence
                entries += try await opened(page.compactMap { try? AuditEntry($0) }, for: query)
            }
        }
        return entries.sorted { ($0.at, $0.chainID, $0.sequence) < ($1.at, $1.chainID, $1.sequence) }
    }

    /// The record of this number; nil when there is none, or it cannot be read.
    package func entry(_ sequence: Int64, of chain: String) async throws(ServerError) -> AuditEntry? {
        let record = try await log.records(of: chain, after: sequence - 1, limit: 1).first { $0.sequence == sequence }
        return try await log.opened([record].compactMap { $0.flatMap { try? AuditEntry($0) } }).first
    }

    /// The entries that a question asks for, with what their records have sealed.
    private func opened(
        _ entries: [AuditEntry], for query: AuditQuery
    ) async throws(ServerError) -> [AuditEntry] {
        try await log.opened(entries.filter(query.matches)).filter(query.matchesUser)
    }
}
