import ServerCore
import ServerPersistence
import TestSupport
import Testing
import UAF

/// Plans of the statements that no transaction of a rule runs; the others' are looked at by the contract tests,
/// which run on a ``PlannedDatabase``, too.
@Suite("Plans of the statements, on SQLite and on PostgreSQL")
struct StatementPlanTests {
    private static let databases: [ContractStorage] = [.sqlite, .postgreSQL]
    /// More users than any query may return.
    private static let userCount = 2 * PlannedDatabase.rowLimit

    private func stage(_ storage: ContractStorage) async throws -> (ContractStage, Storage, PlannedDatabase) {
        let stage = try await ContractStage(storage)
        let planned = try #require(stage.planned)
        let random = stage.random
        try await planned.transaction { connection throws(ServerPersistenceError) in
            for number in 0..<Self.userCount { try Self.addUser(number, random.bytes(count: 16), connection) }
        }
        return (stage, try #require(stage.ports), planned)
    }

    private static func addUser(
        _ number: Int, _ id: [UInt8], _ connection: any SQLConnection
    ) throws(ServerPersistenceError) {
        let name = SQLValue.text("user \(number)")
        try connection.enqueue(
            "INSERT INTO users (id, name, external_id, status, created_at) VALUES ($1, $2, $2, 'active', 0)",
            [.blob(id), name])
        try connection.enqueue("INSERT INTO user_aliases (alias, user_id) VALUES ($1, $2)", [name, .blob(id)])
        try connection.enqueue(
            """
            INSERT INTO credentials (
                registration_id, user_id, aaid, key_id, algorithm, public_key_format, public_key, sign_counter,
                registration_counter, authenticator_version, status, registered_at)
            VALUES ($1, $1, 'F1D0#0001', $1, 2, 257, $1, 1, 1, 1, 'active', 0)
            """, [.blob(id)])
    }

    @Test("Users, their logins and their credentials are found by an index", arguments: databases)
    func users(storage: ContractStorage) async throws {
        let (stage, ports, planned) = try await stage(storage)
        let (jeff, event) = (stage.jeff, AuditEvent(.userLocked, at: stage.now))
        let login = RequestAuthorization.Evidence(
            authenticatedAt: stage.now, registrations: [RegistrationID(from: stage.random)])
        _ = try await ports.users.user(named: jeff.name)
        _ = try await ports.users.user(named: jeff.name, withKeyBehind: login)
        _ = try await ports.users.user(jeff.id)
        #expect(try await ports.users.users(after: jeff.name, limit: 10).count == 10)
        _ = try await ports.users.password(of: jeff.id)
        try await ports.setStatus(.locked, of: jeff.id, at: event.at)
        try await ports.users.endLogins(of: jeff.id, event: event)
        _ = try await ports.credentials.credentials(of: jeff.id)
        _ = try await ports.credentials.holder(named: jeff.name)
        let id = try stage.credential().credential.id
        _ = try await ports.credentials.credential(id)
        _ = try await stage.write { transaction throws(ServerTransactionFailure) in
            try transaction.setStatus(.disabled, of: [id], ownedBy: jeff.id, at: event.at)
        }
        _ = try await ports.sessions.session(CookieHash(of: [1]))
        try await ports.sessions.remove(CookieHash(of: [1]), event: event)
        #expect(try await !ports.decoys.sample(limit: 100).isEmpty)
        _ = try await ports.decoys.distribution()
        try await ports.users.remove(stage.anna.id, event: event)
        #expect(planned.statements.count > 15)
    }

    @Test("The audit, keys and the clock are found by an index, or are small", arguments: databases)
    func records(storage: ContractStorage) async throws {
        let (stage, ports, planned) = try await stage(storage)
        let event = AuditEvent(.auditPruned, at: stage.now)
        try await ports.audit.append(event)
        #expect(try await ports.audit.setHeads("a", replacing: nil, closing: nil))
        #expect(try await ports.audit.setHeads("b", replacing: "a", closing: AuditDay("2026-01-31")))
        #expect(try await !ports.audit.setHeads("c", replacing: "a", closing: nil))
        #expect(try await ports.audit.heads() == "b")
        #expect(try await ports.audit.chains() == ["test"])
        let page = try await ports.audit.lastRecord(of: "test", before: stage.now + .seconds(1), after: 0, limit: 2)
        let head = try #require(page.head)
        #expect(head.sequence == 2 && !page.isLast)
        try await ports.audit.seal("test", after: head, event: event)
        #expect(try await ports.audit.start(of: "test") == head)
        #expect(try await ports.audit.deletePruned(of: "test", limit: 1) == 1)
        #expect(try await ports.audit.records(of: "test", after: 0, limit: 1).count == 1)
        _ = try await ports.keys.keys()
        try await ports.keys.remove([])
        let time = ServerTimeRecord(time: stage.now, startID: "start", sinceStart: .zero)
        _ = try await ports.clock.advance(nil) { _, _ in time }
        try await ports.clock.forget("other")
        #expect(planned.statements.count > 10)
    }

    @Test("What is old is found by its time, piece by piece", arguments: databases)
    func forgetting(storage: ContractStorage) async throws {
        let (stage, ports, planned) = try await stage(storage)
        let now = stage.now
        _ = try await ports.unitOfWork.purgeConsumption(before: now, limit: 10)
        _ = try await ports.sessions.purge(before: now, limit: 10)
        _ = try await ports.operations.purge(endedBefore: now, limit: 10)
        let jeff = stage.jeff.id
        try await stage.write { transaction throws(ServerTransactionFailure) in
            try transaction.note(.wrongDigits, for: jeff, at: now - .seconds(1))
            try transaction.note(.wrongDigitsInRow, for: jeff, at: now - .seconds(1))
        }
        #expect(try await ports.operations.purgeIncidents(before: now, limit: 10) == 1)
        #expect(
            try await ports.operations.purgeIncidents(before: now, limit: 10) == 0, "what waits for a success stays")
        _ = try await ports.targets.purgeRequests(before: now, limit: 10)
        _ = try await ports.clock.forget(heardBefore: now, limit: 10)
        _ = try await stage.write { transaction throws(ServerTransactionFailure) in
            (
                try transaction.removeAttempts(begunBefore: now, limit: 10),
                try transaction.forgetAppAttestKeys(unusedSince: now, limit: 10),
                try transaction.overdueOperations(at: now, limit: 10).count,
                try transaction.forgetRemovals(before: now, limit: 10)
            )
        }
        #expect(planned.statements.count >= 10)
    }

    @Test("What web sites have kept is forgotten by its time", arguments: databases)
    func webSites(storage: ContractStorage) async throws {
        let (stage, _, planned) = try await stage(storage)
        let (now, target) = (stage.now, TargetExternalID(from: stage.random))
        let removed = try await stage.write { transaction throws(ServerTransactionFailure) in
            [
                try transaction.removeAuthorizationRows(expiredBefore: now, limit: 10),
                try transaction.removeBackchannelRows(before: now, limit: 10),
                try transaction.removeReceipts(confirmedBefore: now, limit: 10),
                try transaction.removeDeadMessages(madeBefore: now, limit: 10),
                try transaction.target(externalID: target) == nil ? 0 : 1,
            ]
        }
        #expect(removed == [0, 0, 0, 0, 0])
        #expect(planned.statements.count >= 11)
    }

    @Test("A row that goes finds the rows that refer to it by an index")
    func references() async throws {
        let opened = try await StoredDatabase.sqlite.migrated(at: Timestamp(seconds: 1_700_000_000))
        let problems = try await opened.database.read { connection throws(ServerPersistenceError) in
            var problems: [String] = []
            let references = try connection.rows(
                """
                SELECT master.name, reference."from" FROM sqlite_master AS master
                JOIN pragma_foreign_key_list(master.name) AS reference WHERE master.type = 'table' LIMIT 100
                """, [])
            for reference in references {
                guard case .text(let table)? = reference.values.first, case .text(let column)? = reference.values.last
                else { continue }
                let plan = try QueryPlan(
                    of: "SELECT 1 FROM \(table) WHERE \(column) = $1", [.null], connection)
                problems += plan?.problems ?? []
            }
            return references.count < 5 ? ["no references"] : problems
        }
        #expect(problems.isEmpty)
    }

    @Test("A table that is read whole and rows that are sorted are found", arguments: databases)
    func planted(storage: ContractStorage) async throws {
        let (stage, _, planned) = try await stage(storage)
        defer { withExtendedLifetime(stage) {} }
        let problems = try await planned.read { connection throws(ServerPersistenceError) in
            try QueryPlan(of: "SELECT name FROM users WHERE created_at = $1", [.integer(0)], connection)?.problems ?? []
        }
        #expect(problems.count == 1)
        let sorted = QueryPlan(of: "SELECT name FROM users WHERE id = $1", lines: ["USE TEMP B-TREE FOR ORDER BY"])
        #expect(sorted.problems.count == 1)
        #expect(QueryPlan(of: "SELECT 1", lines: ["SCAN CONSTANT ROW"]).problems.isEmpty)
    }
}
