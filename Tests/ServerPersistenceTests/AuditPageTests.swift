import ServerCore
import ServerPersistence
import TestSupport
import Testing

@Suite("Pages of the audit, in SQLite and in PostgreSQL")
struct AuditPageTests {
    private let now = Timestamp(seconds: 1_700_000_000)

    /// Records of a chain, whose times go back now and then.
    private func fill(_ storage: SQLStorage, from start: Int, count: Int, reason: String) async throws {
        for number in start..<(start + count) {
            var event = AuditEvent(.signedIn, at: now + .seconds(number - (number.isMultiple(of: 4) ? 30 : 0)))
            event.reason = reason
            try await storage.ports.audit.append(event)
        }
    }

    @Test(
        "Each record stands on one page, while records are added, chains begin and old ones are pruned",
        arguments: StoredDatabase.allCases)
    func pages(storage: StoredDatabase) async throws {
        let opened = try await storage.migrated(at: now)
        let (one, other) = (
            SQLStorage(on: opened.database, chainID: "a"), SQLStorage(on: opened.database, chainID: "b")
        )
        try await fill(one, from: 0, count: 40, reason: "first")
        try await fill(other, from: 5, count: 3, reason: "first")
        let audit = AuditService(log: one.ports.audit)
        var query = AuditQuery()
        query.kinds = [.signedIn]
        var (seen, cursor, pageCount): ([AuditEntry], AuditCursor?, Int) = ([], nil, 0)
        repeat {
            let page = try await audit.newest(query, before: cursor, limit: 7)
            #expect(page.entries.count == 7 || page.older == nil)
            seen += page.entries
            cursor = try page.older.map { try #require(AuditCursor(text: $0.text)) }
            pageCount += 1
            try #require(pageCount < 20)
            // Newer ones, which may be older by their times.
            try await fill(one, from: 10 * pageCount, count: 3, reason: "later")
            try await fill(
                SQLStorage(on: opened.database, chainID: "c\(pageCount)"), from: 0, count: 3, reason: "later")
            if pageCount == 3 { try await prune(one) }
        } while cursor != nil
        #expect(seen.allSatisfy { $0["reason"] == "first" })
        let numbers = seen.filter { $0.chainID == "a" }.map(\.sequence)
        #expect(Set(numbers) == Set(6...40) && numbers.count == 35, "\(numbers.sorted())")
        #expect(seen.count { $0.chainID == "b" } == 3)
        for text in ["", "a", "AAAA", "e30x", "bnVsbA"] { #expect(AuditCursor(text: text) == nil, "\(text)") }
    }

    /// Removes the first five records of the chain `a`.
    private func prune(_ storage: SQLStorage) async throws {
        let log = storage.ports.audit
        let fifth = try #require(try await log.records(of: "a", after: 4, limit: 1).first)
        try await log.seal(
            "a", after: AuditRecord.Head(sequence: fifth.sequence, hash: fifth.hash),
            event: AuditEvent(.auditPruned, at: now))
        #expect(try await log.deletePruned(of: "a", limit: 100) == 5)
    }
}
