import ServerCore
import ServerPersistence
import StrictJSON
import TestSupport
import Testing
import UAF
import UAFService

@Suite("Audit chain (SRV-20)")
struct AuditServiceTests {
    private let server: TestServer

    init() async throws {
        server = try await TestServer(authenticators: [try SyntheticAuthenticator()])
        for number in 1...5 { try await server.services.users.add(name: "user\(number)") }
    }

    private func change(_ sql: String) async throws {
        try await server.database.transaction { connection throws(ServerPersistenceError) in
            _ = try connection.execute(sql, [])
        }
    }

    @Test("An untouched chain is intact")
    func intact() async throws {
        let report = try await server.services.audit.verify()
        #expect(report.intactRecords == ["main": 5])
        #expect(report.breaks.isEmpty)
    }

    @Test(
        "A changed, removed, moved or renamed record is found",
        arguments: [
            "UPDATE audit_records SET event = CAST(replace(CAST(event AS TEXT), 'ADDED', 'GREW') AS BLOB) WHERE sequence = 3",
            "DELETE FROM audit_records WHERE sequence = 3",
            "UPDATE audit_records SET sequence = 33 WHERE sequence = 3",
            "UPDATE audit_records SET hash = previous_hash WHERE sequence = 3",
            "UPDATE audit_records SET previous_hash = hash WHERE sequence = 3",
        ])
    func tampering(sql: String) async throws {
        try await change(sql)
        let report = try await server.services.audit.verify()
        #expect(Set(report.breaks.map(\.chainID)) == ["main"])
        #expect(report.breaks.first?.sequence == 3)
        #expect(report.intactRecords == ["main": 4], "the others")
    }

    @Test(
        "A damaged record is named, and the rest is verified (SA-19)",
        arguments: ["event = CAST(event AS TEXT)", "hash = X'00'", "previous_hash = 'text'"])
    func damaged(change: String) async throws {
        try await self.change("UPDATE audit_records SET \(change) WHERE sequence = 3")
        let report = try await server.services.audit.verify()
        #expect(report.breaks.map(\.sequence) == [3])
        #expect(report.intactRecords == ["main": 4])
    }

    @Test("A record whose kind no version writes any more verifies, and is read as it was written")
    func olderKind() async throws {
        let last = try #require(try await server.storage.audit.records(of: "main", after: 4, limit: 1).last)
        let event = Array(#"{"ts":"2026-01-01T00:00:00.000Z","event":"JWS_REJECTED"}"#.utf8)
        let old = AuditRecord(chainID: "main", after: last.head, event: event)
        let proof = AuditKey.proof(of: old.hash, try server.services.keys.auditKey().code(of: event))
        try await server.database.transaction { connection throws(ServerPersistenceError) in
            _ = try connection.execute(
                """
                INSERT INTO audit_records (chain_id, sequence, recorded_at, event, previous_hash, hash, proof)
                VALUES ('main', 6, 0, $1, $2, $3, $4)
                """, [.blob(old.event), .blob(old.previousHash.octets), .blob(old.hash.octets), .blob(proof)])
        }
        try await server.services.users.add(name: "after")
        let report = try await server.services.audit.verify()
        #expect(report.breaks.isEmpty && report.intactRecords == ["main": 7])
        #expect(try await server.auditTexts()[5].contains("JWS_REJECTED"))
    }

    @Test("Each process writes a chain of its own")
    func chains() async throws {
        let second = try await TestServer(authenticators: [try SyntheticAuthenticator()], store: .of(server)) {
            $0.instanceName = "second"
        }
        try await second.services.users.add(name: "other")
        #expect(try await server.services.audit.verify().intactRecords == ["main": 5, "second": 1])
    }

    @Test("Concurrent writers leave one chain without gaps")
    func concurrency() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 10..<60 { group.addTask { _ = try await server.services.users.add(name: "user\(number)") } }
            try await group.waitForAll()
        }
        let report = try await server.services.audit.verify()
        #expect(report.intactRecords == ["main": 55])
        #expect(report.breaks.isEmpty)
    }

    @Test("Text from outside cannot forge a line and is cut off")
    func injection() throws {
        var event = AuditEvent(.authenticationFailed, at: Timestamp(seconds: 0))
        event.client.userAgent = "x\n{\"event\":\"FORGED\"}<script>" + String(repeating: "y", count: 1000)
        let json = event.json
        #expect(!json.contains(0x0A))
        #expect(!json.contains(UInt8(ascii: "<")))
        let members = try JSONParser.parse(json).asObject()
        #expect(members["ts"] == .string("1970-01-01T00:00:00.000Z"))
        #expect(try members.required("userAgent") { value throws(JSONTypeError) in try value.asString() }.count == 256)
    }

    @Test(
        "Times are written as dates",
        arguments: [
            (951_782_400_000, "2000-02-29T00:00:00.000Z"), (1_769_860_800_123, "2026-01-31T12:00:00.123Z"),
            (-1, "1969-12-31T23:59:59.999Z"), (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
        ])
    func times(milliseconds: Int64, text: String) {
        #expect(Timestamp(milliseconds: milliseconds).iso8601 == text)
    }

    /// Removes the records of the first `count` users.
    private func prune(_ count: Int) async throws {
        let audit = server.services.audit
        let last = try #require(await audit.records(of: "main", limit: count).last)
        try await audit.prune("main", through: last.head, at: server.clock.now())
    }

    @Test("S-H6: a chain whose front was pruned verifies, and says up to where it was")
    func pruned() async throws {
        try await prune(3)
        let report = try await server.services.audit.verify()
        #expect(report.breaks.isEmpty)
        #expect(report.intactRecords == ["main": 6])
        #expect(try await server.services.audit.records(of: "main").map(\.sequence) == [4, 5, 6])
        #expect(try await server.auditTexts().last?.contains("ADMIN_AUDIT_PRUNED") == true)
        try await prune(2)
        #expect(try await server.services.audit.verify().breaks.isEmpty, "a second time")
    }

    @Test(
        "S-H6: more cut off than was pruned is found",
        arguments: [
            "DELETE FROM audit_records WHERE sequence = 4",
            "DELETE FROM audit_starts",
            "UPDATE audit_starts SET sequence = 4, hash = (SELECT hash FROM audit_records WHERE sequence = 4)",
            "DELETE FROM audit_records WHERE sequence = 6",
        ])
    func cutOff(sql: String) async throws {
        try await prune(3)
        if sql.contains("SET sequence = 4") {
            try await change(sql)
            try await change("DELETE FROM audit_records WHERE sequence = 4")
        } else {
            try await change(sql)
        }
        #expect(try await server.services.audit.verify().breaks.map(\.chainID) == ["main"])
    }

    @Test("S-H6: the retention removes what is older, in the round of a day, and keeps all without one")
    func retention() async throws {
        server.clock.advance(by: .seconds(60))
        await server.services.maintain()
        server.clock.advance(by: .seconds(3 * 86_400))
        await server.services.maintain()
        #expect(try await server.services.audit.records(of: "main").first?.sequence == 1, "no retention")
        let limited = try await TestServer(authenticators: [try SyntheticAuthenticator()], store: .of(server)) {
            $0.auditRetention = .seconds(2 * 86_400)
        }
        try await limited.services.users.add(name: "today")
        await limited.services.maintain()
        let left = try await limited.services.audit.records(of: "main")
        #expect(left.first?.sequence ?? 0 > 5 && !left.isEmpty)
        #expect(try await limited.services.audit.verify().breaks.isEmpty)
    }
}
