import LoadControl
import ServerCore
import ServerPersistence
import ServerPersistenceSQLite
import Synchronization
import TestSupport
import Testing
import UAF

/// A user with keys on a database, and sign-ins with them.
struct SignInStage {
    /// The database and its file; nil in memory.
    let opened: OpenedDatabase?
    let database: FaultyDatabase
    let storage: Storage
    let user: User
    let credentials: [RegisteredCredential]
    let random = SeededRandom()
    let now = Timestamp(seconds: 1_700_000_000)
    private let queue = LoadStage()

    /// A user with as many keys, whose counters are at 5.
    init(_ kind: StoredDatabase, credentials count: Int) async throws {
        try await self.init(kind, counters: Array(repeating: 5, count: count))
    }

    /// A user with a key for each counter.
    init(_ kind: StoredDatabase, counters: [UInt32]) async throws {
        let opened = try kind.empty()
        try await self.init(on: opened.database, of: opened, counters: counters)
    }

    /// A user with as many keys in memory, whose counters are at 5.
    init(inMemory count: Int) async throws {
        try await self.init(on: try SQLiteDatabase(), of: nil, counters: Array(repeating: 5, count: count))
    }

    private init(on database: any SQLDatabase, of opened: OpenedDatabase?, counters: [UInt32]) async throws {
        try await Migrator().migrate(database, at: now)
        self.opened = opened
        self.database = FaultyDatabase(database)
        // With fewer requests in flight groups may run beside each other.
        let load = queue.controller(inFlight: GroupPace.sparse + 1)
        storage = SQLStorage(on: self.database, chainID: "test", load: load).ports
        storage.audit.prove(with: .ofTests)
        user = User(
            id: UserID(from: random), name: try #require(UserName("jeff")), externalID: try #require(UserName("id")),
            createdAt: now)
        try await storage.users.add(user, mayBeAlike: false, password: nil, event: AuditEvent(.userAdded, at: now))
        credentials = try await Self.register(counters, of: user, random, at: now, storage)
    }

    private static func register(
        _ counters: [UInt32], of user: User, _ random: SeededRandom, at now: Timestamp, _ storage: Storage
    ) async throws -> [RegisteredCredential] {
        let aaid = try #require(AAID("F1D0#1001"))
        var registered: [RegisteredCredential] = []
        for counter in counters {
            let fresh = try VerifiedCredential.sample(
                CredentialID(aaid: aaid, keyID: try #require(KeyID(random.bytes(count: 32)))),
                Counters(signatures: counter, registrations: 0), of: user.id, at: now, as: RegistrationID(from: random))
            _ = try await storage.transaction { transaction throws(ServerTransactionFailure) in
                try transaction.insert(fresh)
            }
            registered.append(fresh.credential)
        }
        return registered
    }

    /// One more user, with one key whose counter is at 5.
    func another() async throws -> (user: User, credential: RegisteredCredential) {
        let anna = User(
            id: UserID(from: random), name: try #require(UserName("anna")), externalID: try #require(UserName("2")),
            createdAt: now)
        try await storage.users.add(anna, mayBeAlike: false, password: nil, event: AuditEvent(.userAdded, at: now))
        let registered = try await Self.register([5], of: anna, random, at: now, storage)
        return (user: anna, credential: try #require(registered.first))
    }

    // MARK: - Sign-ins

    /// Outcome of a sign-in with a key, which begins a session.
    func outcome(
        _ number: Int, challenge: Int? = nil, counter: UInt32 = 6, after time: Duration = .zero
    ) -> CeremonyOutcome {
        outcome(with: credentials[number], challenge: challenge ?? number, counter: counter, after: time)
    }

    /// Outcome of a sign-in with a key of whomever, so long after the beginning.
    func outcome(
        with credential: RegisteredCredential, challenge: Int, counter: UInt32 = 6, after time: Duration = .zero
    ) -> CeremonyOutcome {
        let (id, start) = (credential.registrationID, now + time)
        let session = Session(
            cookieHash: CookieHash(of: id.octets + Array("\(challenge) \(counter)".utf8)), userID: credential.userID,
            method: .fidoUAF, evidence: .init(authenticatedAt: start, registrations: [id]), createdAt: start,
            expiresAt: start + .seconds(900))
        var event = AuditEvent(.signedIn, at: start, userID: credential.userID)
        event.statusCode = .ok
        var outcome = CeremonyOutcome(
            challenge: ChallengeHash(of: Array("\(challenge)".utf8)), challengeExpiresAt: now + .seconds(480),
            effect: .authenticate([.init(registrationID: id, signCounter: counter)], session: session), event: event)
        var ending = OperationEnding(id: CeremonyID(from: random), operation: .authentication)
        ending.userID = credential.userID
        ending.credentials = [ProvedCredential(id: credential.id, registrationID: id)]
        outcome.inBand = ending
        return outcome
    }

    /// Commits outcomes that come at the same time.
    func commit(_ outcomes: [CeremonyOutcome]) async throws -> [CommitResult] {
        try await withThrowingTaskGroup(of: (Int, CommitResult).self) { group in
            for (place, outcome) in outcomes.enumerated() {
                group.addTask { (place, try await storage.unitOfWork.commit(outcome)) }
            }
            return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    /// Commits outcomes as one group, in their order, behind a record of the audit that is held until all wait.
    ///
    /// The result is nil for each that fails. `beside` writes in the same group, as its last member.
    func commitTogether(
        _ outcomes: [CeremonyOutcome], beside: (@Sendable () async throws -> Void)? = nil
    ) async throws -> [CommitResult?] {
        let (held, freed) = (CommitCounter(), CommitCounter())
        database.set { faults in
            faults.beforeTransaction = {
                held.note()
                while freed.count == 0 { await Task.yield() }
            }
        }
        return try await withThrowingTaskGroup(of: (Int, CommitResult?).self) { group in
            group.addTask { try await (-1, first()) }
            while held.count == 0 { await Task.yield() }
            for (place, outcome) in outcomes.enumerated() {
                group.addTask { (place, try? await storage.unitOfWork.commit(outcome)) }
                await untilWaiting(place + 1)
            }
            if let beside {
                group.addTask { try await (-1, besides(beside)) }
                await untilWaiting(outcomes.count + 1)
            }
            freed.note()
            return try await group.reduce(into: []) { $0.append($1) }.filter { $0.0 >= 0 }
                .sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    /// The record before the group.
    func first() async throws -> CommitResult? {
        try await storage.audit.append(AuditEvent(.userLocked, at: now))
        return nil
    }

    private func besides(_ body: @Sendable () async throws -> Void) async throws -> CommitResult? {
        try await body()
        return nil
    }

    private func untilWaiting(_ count: Int) async {
        while queue.depth(of: .commits) < count { await Task.yield() }
    }

    // MARK: - What stands there

    /// Rows of everything that a sign-in writes, table by table.
    func rows() async throws -> [[SQLRow]] {
        try await database.read { connection throws(ServerPersistenceError) in
            try Self.queries.map { query throws(ServerPersistenceError) in try connection.rows(query, []) }
        }
    }

    private static let queries = [
        """
        SELECT challenge_hash, expires_at, consumed_at, ceremony_id, user_id, uaf_status, asm_status, client_error,
            is_reported, credentials, operation, transaction_hash
        FROM consumed_challenges ORDER BY challenge_hash
        """,
        """
        SELECT cookie_hash, user_id, method, created_at, expires_at, evidence FROM sessions ORDER BY cookie_hash
        """,
        """
        SELECT registration_id, sign_counter, last_success_at, success_count, failure_count, status
        FROM credentials ORDER BY registration_id
        """,
        """
        SELECT chain_id, sequence, recorded_at, event, previous_hash, hash, proof
        FROM audit_records ORDER BY chain_id, sequence
        """,
    ]
}
