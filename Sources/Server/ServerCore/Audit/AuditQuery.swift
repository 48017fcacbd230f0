import Octets
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

/// Place in the audit on the way back: for each chain the number before which its records are to be read.
///
/// Records that are added or pruned do not move it.
package struct AuditCursor: Sendable, Hashable {
    let places: [String: Int64]

    init(_ places: [String: Int64]) { self.places = places }

    /// Reads ``text``; nil for another text.
    package init?(text: String) {
        guard let octets = try? Base64URL.decode(text), let members = try? JSONParser.parse(octets).asObject() else {
            return nil
        }
        var places: [String: Int64] = [:]
        for member in members.members {
            guard let place = try? member.value.asInteger(Int64.self) else { return nil }
            places[member.name] = place
        }
        self.places = places
    }

    /// The cursor in Base64url; it names nothing but chains.
    package var text: String {
        let members = places.sorted { $0.key < $1.key }.map { JSONObject.Member($0.key, .integer($0.value)) }
        return Base64URL.encode(JSONWriter.write(.object(JSONObject(distinct: members))))
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
        /// Place where older ones begin; nil without any.
        package var older: AuditCursor?
        package var isCut: Bool { older != nil }
        /// Number of records that could not be read.
        package var unreadableCount = 0
    }

    /// The newest records that a question asks for, `limit` at most, of all chains in the order of their times; with a
    /// cursor those before it.
    ///
    /// It reads backwards, and no further than the time from which the question asks. Throws
    /// ``ServerError/storageUnavailable``.
    package func newest(
        _ query: AuditQuery, before cursor: AuditCursor? = nil, limit: Int
    ) async throws(ServerError) -> Answer {
        var answer = Answer()
        var found: [String: ArraySlice<AuditEntry>] = [:]
        var places: [String: Int64] = [:]
        for chain in try await chains() {
            let place = cursor == nil ? Int64.max : cursor?.places[chain]
            // A chain that the first page did not find has newer records only.
            guard let place else { continue }
            let read = try await matching(query, of: chain, before: place, count: limit + 1)
            found[chain] = read.entries[...]
            places[chain] = read.end
            answer.unreadableCount += read.unreadableCount
        }
        while answer.entries.count < limit, let newest = found.values.compactMap(\.first).max(by: Self.isOlder) {
            answer.entries.append(newest)
            places[newest.chainID] = newest.sequence
            found[newest.chainID] = found[newest.chainID]?.dropFirst()
        }
        let rest = places.filter { found[$0.key]?.isEmpty == false }
        answer.older = rest.isEmpty ? nil : AuditCursor(rest)
        answer.entries.sort(by: Self.isOlder)
        return answer
    }

    private static func isOlder(_ left: AuditEntry, _ right: AuditEntry) -> Bool {
        (left.at, left.chainID, left.sequence) < (right.at, right.chainID, right.sequence)
    }

    /// Entries of a chain, newest first, the number behind the first record that was read, and how many could not be.
    private func matching(
        _ query: AuditQuery, of chain: String, before place: Int64, count: Int
    ) async throws(ServerError) -> (entries: [AuditEntry], end: Int64?, unreadableCount: Int) {
        var (found, end, unreadableCount): ([AuditEntry], Int64?, Int) = ([], nil, 0)
        var position = place
        while found.count < count {
            let page = try await log.records(of: chain, before: position, limit: Self.pageSize)
            guard let first = page.first, let last = page.last else { break }
            end = end ?? first.sequence + 1
            position = last.sequence
            let entries = page.compactMap { try? AuditEntry($0) }
            unreadableCount += page.count - entries.count
            found += try await opened(entries, for: query)
            if let since = query.since, let oldest = entries.last, oldest.at < since - Self.disorder { break }
        }
        return (found, end, unreadableCount)
    }

    /// Numbers of the last records of all chains: where ``next(_:after:)`` begins.
    package func ends() async throws(ServerError) -> [String: Int64] {
        var ends: [String: Int64] = [:]
        for chain in try await chains() { ends[chain] = try await log.end(of: chain)?.sequence }
        return ends
    }

    /// Records that a question asks for behind `places`, which it moves behind what it has read: to the ends of the chains,
    /// unless it has found as many as `limit` before.
    package func next(
        _ query: AuditQuery, after places: inout [String: Int64], limit: Int = .max
    ) async throws(ServerError) -> [AuditEntry] {
        var entries: [AuditEntry] = []
        for chain in try await chains() {
            while entries.count < limit {
                let page = try await log.records(of: chain, after: places[chain] ?? 0, limit: Self.pageSize)
                guard let last = page.last else { break }
                places[chain] = last.sequence
                entries += try await opened(page.compactMap { try? AuditEntry($0) }, for: query)
            }
        }
        return entries.sorted(by: Self.isOlder)
    }

    /// The entries that a question asks for, with what their records have sealed.
    private func opened(
        _ entries: [AuditEntry], for query: AuditQuery
    ) async throws(ServerError) -> [AuditEntry] {
        try await log.opened(entries.filter(query.matches)).filter(query.matchesUser)
    }
}
