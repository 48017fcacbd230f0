import Octets
import ServerCore
import ServerPersistence
import TestSupport
import Testing
import UAF
import UAFService

@Suite("Proof of the audit: a chain that was written anew or cut is noticed (S-M11)")
struct AuditProofTests {
    private let authenticator: SyntheticAuthenticator
    private let server: TestServer

    init() async throws {
        authenticator = try SyntheticAuthenticator()
        server = try await TestServer(authenticators: [authenticator])
        for number in 1...5 { try await server.services.users.add(name: "user\(number)") }
    }

    private func change(_ sql: String, _ arguments: [SQLValue] = []) async throws {
        try await server.database.transaction { connection throws(ServerPersistenceError) in
            _ = try connection.execute(sql, arguments)
        }
    }

    /// Makes the hashes anew from a record on, as an attacker does who writes to the database.
    private func rechain(from first: Int64) async throws {
        let before = try await server.storage.audit.records(of: "main", after: first - 2, limit: 1).first
        var last = before?.sequence == first - 1 ? before?.head : nil
        for record in try await server.storage.audit.records(of: "main", after: first - 1, limit: 1_000) {
            let anew = AuditRecord(chainID: "main", after: last, event: record.event)
            try await change(
                "UPDATE audit_records SET previous_hash = $1, hash = $2 WHERE chain_id = 'main' AND sequence = $3",
                [.blob(anew.previousHash.octets), .blob(anew.hash.octets), .integer(record.sequence)])
            last = anew.head
        }
    }

    /// Lets the server sign the present ends.
    private func sign() async throws {
        server.clock.advance(by: AuditSigning.interval)
        await server.services.maintain()
    }

    private func ranges() async throws -> [[Int64]] {
        try await server.services.audit.verify().breaks.map { [$0.sequence, $0.last] }
    }

    private static let forgery = """
        UPDATE audit_records SET event = CAST(replace(CAST(event AS TEXT), 'ADDED', 'GREW') AS BLOB) WHERE sequence = 3
        """

    @Test(
        "A chain whose hashes were made anew behind a changed record is named from there on", arguments: [false, true])
    func recomputed(isSigned: Bool) async throws {
        if isSigned { try await sign() }
        try await change(Self.forgery)
        try await rechain(from: 3)
        #expect(try await ranges() == [[3, 5]])
        try await server.services.users.add(name: "later")
        #expect(try await ranges() == [[3, 5]], "what the server writes behind it holds")
    }

    @Test("A record that was taken out is named, also when the others were moved together")
    func removed() async throws {
        try await change("DELETE FROM audit_records WHERE sequence = 3")
        for sequence in 4...5 {
            try await change("UPDATE audit_records SET sequence = \(sequence - 1) WHERE sequence = \(sequence)")
        }
        try await rechain(from: 3)
        #expect(try await ranges() == [[3, 4]])
    }

    @Test("A record that no server has written is named")
    func inserted() async throws {
        let last = try #require(try await server.storage.audit.records(of: "main", after: 4, limit: 1).last)
        let forged = AuditRecord(chainID: "main", after: last.head, event: last.event)
        try await change(
            """
            INSERT INTO audit_records (chain_id, sequence, recorded_at, event, previous_hash, hash, proof)
            VALUES ('main', 6, 0, $1, $2, $3, (SELECT proof FROM audit_records WHERE sequence = 5))
            """, [.blob(forged.event), .blob(forged.previousHash.octets), .blob(forged.hash.octets)])
        #expect(try await ranges() == [[6, 6]])
    }

    @Test("A chain that was cut behind its signed end is named, by the running server too, and stays named")
    func cut() async throws {
        try await sign()
        try await change("DELETE FROM audit_records WHERE sequence > 3")
        #expect(try await ranges() == [[4, 5]])
        try await sign()
        #expect(server.services.auditDamage.text?.contains("main at records 4 to 5: cut off") == true)
        for name in ["a", "b", "c"] { try await server.services.users.add(name: name) }
        try await sign()
        #expect(try await ranges() == [[5, 5]])
    }

    @Test("A chain that is gone is named", arguments: [["audit_records"], ["audit_records", "audit_starts"]])
    func gone(tables: [String]) async throws {
        try await sign()
        for table in tables { try await change("DELETE FROM \(table)") }
        #expect(try await ranges() == [[1, 5]])
    }

    @Test("Signed ends that are missing are named, and no later start makes them anew")
    func missingHeads() async throws {
        try await sign()
        try await change("DELETE FROM audit_heads")
        try await sign()
        #expect(server.services.auditDamage.text?.contains("is missing") == true)
        let again = try await TestServer(authenticators: [authenticator], store: .of(server))
        #expect(try await again.services.audit.verify().headsFault?.contains("is missing") == true)
    }

    @Test("Ends that another server has signed are named")
    func foreignHeads() async throws {
        let other = try await TestServer(authenticators: [authenticator])
        let statement = try #require(try await other.storage.audit.heads())
        try await change("UPDATE audit_heads SET statement = $1", [.text(statement)])
        let report = try await server.services.audit.verify()
        #expect(!report.isUnchanged && report.headsFault?.contains("not signed by this server") == true)
    }

    @Test("Earlier ends that were put back are noticed by the server that has signed later ones")
    func earlierHeads() async throws {
        try await sign()
        let earlier = try #require(try await server.storage.audit.heads())
        for name in ["a", "b"] { try await server.services.users.add(name: name) }
        try await sign()
        try await change("DELETE FROM audit_records WHERE sequence > 5")
        try await change("UPDATE audit_heads SET statement = $1", [.text(earlier)])
        #expect(try await ranges().isEmpty, "the check knows no more than the database")
        try await sign()
        #expect(server.services.auditDamage.text?.contains("put back") == true)
    }

    @Test("A pruned chain goes on from its signed end")
    func pruned() async throws {
        try await sign()
        let audit = server.services.audit
        let last = try #require(try await audit.records(of: "main").last)
        try await audit.prune("main", through: last.head, at: server.clock.now())
        try await sign()
        #expect(try await audit.verify().isUnchanged && server.services.auditDamage.text == nil)
    }

    @Test("New keys after a restore prove no less: the key of the audit stays")
    func replacedKeys() async throws {
        try await sign()
        try await server.services.replaceKeys()
        try await server.services.users.add(name: "later")
        try await sign()
        let report = try await server.services.audit.verify()
        #expect(report.isUnchanged && report.signedAt != nil && report.lostThrough.isEmpty)
    }

    @Test("With a lost master key the records up to then have no proof of their own, and later ones hold them")
    func lostMasterKey() async throws {
        try await sign()
        let services = try ServerServices(
            settings: server.services.settings, storage: SQLStorage(on: server.database, chainID: "main").ports,
            masterKey: try MasterKey(SecretOctets(copying: Array(repeating: 8, count: 32))),
            metadata: MetadataCatalog([authenticator.metadata]), ports: server.services.ports)
        try await services.replaceKeys(isMasterKeyLost: true)
        try await services.start()
        try await services.users.add(name: "later")
        let report = try await services.audit.verify()
        #expect(report.isUnchanged && report.lostThrough == ["main": 6])
        try await change(Self.forgery)
        try await rechain(from: 3)
        #expect(try await services.audit.verify().breaks.map(\.sequence) == [6, 7])
    }

    @Test("Several servers sign one statement of all chains, and a chain that is gone is named")
    func severalServers() async throws {
        let second = try await TestServer(authenticators: [authenticator], store: .of(server)) {
            $0.instanceName = "second"
        }
        try await second.services.users.add(name: "other")
        try await sign()
        await second.services.maintain()
        #expect(try await second.services.audit.verify().isUnchanged)
        try await change("DELETE FROM audit_records WHERE chain_id = 'second'")
        #expect(try await server.services.audit.verify().breaks.map(\.chainID) == ["second"])
    }

    @Test("A copy of the database proves the same, and goes on", arguments: StoredDatabase.allCases)
    func copied(database: StoredDatabase) async throws {
        try await sign()
        let target = try database.empty()
        _ = try await DatabaseCopy(from: server.database, to: target.database).run(at: server.clock.now())
        let copy = try await TestServer(authenticators: [authenticator], store: .empty(target.database))
        try await copy.services.users.add(name: "later")
        let report = try await copy.services.audit.verify()
        #expect(report.isUnchanged && report.intactRecords == ["main": 6])
    }
}
