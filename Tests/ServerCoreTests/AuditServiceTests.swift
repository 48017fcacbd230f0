import ServerCore
import ServerPersistence
import StrictJSON
import TestSupport
import Testing
import UAF

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
            "UPDATE audit_records SET event = CAST(replace(CAST(event AS TEXT), 'user3', 'user9') AS BLOB) WHERE sequence = 3",
            "DELETE FROM audit_records WHERE sequence = 3",
            "UPDATE audit_records SET sequence = 33 WHERE sequence = 3",
            "UPDATE audit_records SET hash = previous_hash WHERE sequence = 3",
            "UPDATE audit_records SET previous_hash = hash WHERE sequence = 3",
        ])
    func tampering(sql: String) async throws {
        try await change(sql)
        let report = try await server.services.audit.verify()
        #expect(report.breaks.map(\.chainID) == ["main"])
        #expect(report.breaks.map(\.sequence) == [3])
        #expect(report.intactRecords == ["main": 2])
    }

    @Test("Each process writes a chain of its own")
    func chains() async throws {
        let second = try await TestServer(authenticators: [try SyntheticAuthenticator()], sharing: server) {
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
}
