import ServerCore
import ServerPersistence
import TestSupport
import Testing
import UAF

@Suite("The migration of consumed challenges and of the audit, on SQLite and on PostgreSQL")
struct SignInTreesTests {
    private static let before = Migrator(Migrations.all.filter { $0.number < 29 })
    private let now = Timestamp(seconds: 1_700_000_000)

    /// The outcome of a refused answer in band, with a record of the audit.
    private func outcome(_ number: UInt8, after time: Duration = .zero) throws -> CeremonyOutcome {
        var event = AuditEvent(.authenticationSucceeded, at: now + time)
        event.statusCode = .unacceptableContent
        var outcome = CeremonyOutcome(
            challenge: ChallengeHash(of: [number]), challengeExpiresAt: now + .seconds(480) + time,
            effect: .refuse(nil), event: event)
        outcome.inBand = OperationEnding(
            id: CeremonyID(from: SeededRandom(seed: UInt64(number))), operation: .authentication)
        return outcome
    }

    /// A database in the form before, with the ends of some ceremonies and two chains.
    private func older(
        _ kind: StoredDatabase, ceremonies count: UInt8
    ) async throws -> (opened: OpenedDatabase, storage: Storage) {
        let opened = try kind.empty()
        try await Self.before.migrate(opened.database, at: now)
        let storage = SQLStorage.ports(on: opened.database, chainID: "test")
        for number in 0..<count {
            let outcome = try outcome(number, after: .seconds(Int(number)))
            #expect(try await storage.unitOfWork.commit(outcome) == .committed)
        }
        let other = SQLStorage.ports(on: opened.database, chainID: "other")
        try await other.audit.append(AuditEvent(.userAdded, at: now))
        return (opened, storage)
    }

    private func rows(_ database: any SQLDatabase) async throws -> [[SQLRow]] {
        try await database.read { connection throws(ServerPersistenceError) in
            [
                try connection.rows(
                    """
                    SELECT challenge_hash, expires_at, consumed_at, ceremony_id, user_id, uaf_status, asm_status,
                        client_error, is_reported, credentials, operation, transaction_hash
                    FROM consumed_challenges ORDER BY challenge_hash
                    """, []),
                try connection.rows(
                    """
                    SELECT chain_id, sequence, recorded_at, event, previous_hash, hash
                    FROM audit_records ORDER BY chain_id, sequence
                    """, []),
            ]
        }
    }

    @Test("Every row comes through, and the chains hold", arguments: StoredDatabase.allCases)
    func rows(storage kind: StoredDatabase) async throws {
        let (opened, storage) = try await older(kind, ceremonies: 20)
        let before = try await rows(opened.database)
        #expect(before.map(\.count) == [20, 21])
        #expect(try await Migrator().migrate(opened.database, at: now).contains(29))
        #expect(try await rows(opened.database) == before)
        let report = try await AuditService(log: storage.audit).verify()
        #expect(report.breaks.isEmpty && report.intactRecords == ["test": 20, "other": 1])
    }

    @Test("An answer from before it is a replay after it, and goes with its time", arguments: StoredDatabase.allCases)
    func replay(storage kind: StoredDatabase) async throws {
        let (opened, storage) = try await older(kind, ceremonies: 3)
        try await Migrator().migrate(opened.database, at: now)
        for number in 0..<3 as Range<UInt8> {
            let replayed = try outcome(number, after: .seconds(Int(number)))
            #expect(try await storage.unitOfWork.commit(replayed) == .refused(.challengeUsed))
        }
        let fresh = try outcome(3, after: .seconds(3))
        #expect(try await storage.unitOfWork.commit(fresh) == .committed)
        #expect(try await storage.unitOfWork.commit(fresh) == .refused(.challengeUsed))
        #expect(try await storage.unitOfWork.purgeConsumption(before: now + .seconds(482), limit: 500) == 2)
        let forgotten = try outcome(0)
        #expect(try await storage.unitOfWork.commit(forgotten) == .refused(.challengeForgotten))
        #expect(try await rows(opened.database)[0].count == 2)
    }

    @Test("A server of the version before consumes and corrects beside this one", arguments: StoredDatabase.allCases)
    func versionBefore(storage kind: StoredDatabase) async throws {
        let (opened, storage) = try await older(kind, ceremonies: 1)
        try await Migrator().migrate(opened.database, at: now)
        let (old, new) = (try outcome(0), try outcome(7))
        let challenges = [old, new].map { SQLValue.blob($0.challenge.octets) }
        let expiry = SQLValue.integer(new.challengeExpiresAt.milliseconds)
        let counts = try await opened.database.transaction { connection throws(ServerPersistenceError) in
            try challenges.map { challenge throws(ServerPersistenceError) in
                try connection.execute(Self.consumption, [challenge, expiry])
            } + [try connection.execute(Self.correction, [.integer(1491), challenges[1]])]
        }
        #expect(counts == [0, 1, 1])
        #expect(try await storage.unitOfWork.commit(new) == .refused(.challengeUsed))
    }

    /// Statements of the version before, which knows the challenge as the key.
    private static let consumption = """
        INSERT INTO consumed_challenges (challenge_hash, expires_at, consumed_at) VALUES ($1, $2, $2)
        ON CONFLICT DO NOTHING
        """
    private static let correction = """
        UPDATE consumed_challenges SET uaf_status = $1, credentials = '', transaction_hash = NULL
        WHERE challenge_hash = $2
        """

    @Test("A sign-in writes five trees of SQLite beside that of its credential")
    func trees() async throws {
        let opened = try await StoredDatabase.sqlite.migrated(at: now)
        let trees = try await opened.database.read { connection throws(ServerPersistenceError) in
            try connection.rows(
                """
                SELECT name FROM sqlite_master
                WHERE tbl_name IN ('consumed_challenges', 'sessions', 'audit_records') AND rootpage > 0
                """, [])
        }
        #expect(trees.count == 5)
    }
}
