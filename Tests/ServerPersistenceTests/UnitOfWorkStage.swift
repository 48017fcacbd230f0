import Foundation
import ServerCore
import ServerPersistence
import TestSupport
import Testing
import UAF
import UAFService

/// Ends of ceremonies on one database; each method is one test.
struct UnitOfWorkStage {
    private let opened: OpenedDatabase
    private let database: FaultyDatabase
    private let storage: Storage
    private let random = SeededRandom()
    private let now = Timestamp(seconds: 1_700_000_000)
    private let user: User

    init(_ kind: StoredDatabase) async throws {
        opened = try await kind.migrated(at: now)
        database = FaultyDatabase(opened.database)
        storage = SQLStorage(on: database, chainID: "test").ports
        user = User(
            id: UserID(from: random), name: try #require(UserName("jeff")), externalID: try #require(UserName("id")),
            createdAt: now)
        try await storage.users.add(user, mayBeAlike: false, password: nil, event: AuditEvent(.userAdded, at: now))
    }

    private func challenge(_ number: UInt8) -> ChallengeHash { ChallengeHash(of: [number]) }

    private func commit(
        _ number: UInt8, _ effect: CeremonyOutcome.Effect, expiring lifetime: Duration = .seconds(480),
        _ kind: AuditEvent.Kind = .signedIn
    ) async throws -> CommitResult {
        try await storage.unitOfWork.commit(
            CeremonyOutcome(
                challenge: challenge(number), challengeExpiresAt: now + lifetime, effect: effect,
                event: AuditEvent(kind, at: now, userID: user.id)))
    }

    private func credential(
        of keyID: KeyID? = nil, counter: UInt32 = 0
    ) throws -> VerifiedCredential {
        let fresh = try #require(KeyID(random.bytes(count: 32)))
        let id = CredentialID(aaid: try #require(AAID("F1D0#1001")), keyID: keyID ?? fresh)
        return try VerifiedCredential.sample(
            id, Counters(signatures: counter, registrations: 7), of: user.id, at: now,
            as: RegistrationID(from: random))
    }

    private func register(_ number: UInt8, _ credential: VerifiedCredential) async throws {
        let effect = CeremonyOutcome.Effect.register([credential], of: user.id, limit: 10)
        #expect(try await commit(number, effect, .registrationSucceeded) == .committed)
    }

    private func stored(_ credential: VerifiedCredential) async throws -> RegisteredCredential? {
        try await storage.credentials.credential(credential.credential.id)
    }

    private func remove(_ id: CredentialID) async throws {
        let (user, event) = (user.id, AuditEvent(.deregistration, at: now))
        let removed = try await storage.transaction { transaction throws(ServerTransactionFailure) in
            try RemoveCredential(in: transaction).remove([id], of: user) { _ in event }
        }
        #expect(removed == [id])
    }

    private func use(_ credential: VerifiedCredential, _ counter: UInt32) -> CeremonyOutcome.Effect {
        .authenticate(
            [
                CeremonyOutcome.CredentialUse(
                    registrationID: credential.credential.registrationID, signCounter: counter)
            ], session: nil)
    }

    /// A credential comes out as it went in.
    func roundTrip() async throws {
        let verified = try credential(counter: .max)
        let credential = verified.credential
        try await register(1, verified)
        #expect(try await storage.credentials.credentials(of: user.id) == [credential])
        #expect(try await storage.credentials.credential(credential.id) == credential)
        let sameKey = try await storage.read { snapshot throws(ServerTransactionFailure) in
            try snapshot.credentials(withKey: credential.id.keyID)
        }
        #expect(sameKey == [credential])
    }

    private func holder(_ id: UserID) async throws -> CredentialHolder? {
        try await storage.read { snapshot throws(ServerTransactionFailure) in try snapshot.holder(id) }
    }

    /// The holder of credentials comes with all of them, by name, external id or identity.
    func holder() async throws {
        let credentials = [try credential(), try credential()]
        for (number, credential) in credentials.enumerated() { try await register(UInt8(number), credential) }
        let byID = try #require(await holder(user.id))
        #expect(byID.user == user)
        #expect(Set(byID.credentials) == Set(credentials.map(\.credential)))
        #expect(try await storage.credentials.holder(named: user.name) == byID)
        #expect(try await storage.credentials.holder(named: user.externalID) == byID)
        #expect(try await holder(UserID(from: random)) == nil)
        #expect(try await storage.credentials.holder(named: try #require(UserName("absent"))) == nil)
    }

    /// What is asked for each sign-in is found by an index, however many users there are.
    func indices() async throws {
        let conditions = ["user_id = $1", "key_id = $1", "aaid = $1 AND key_id = $2", "registration_id = $1"]
        for condition in conditions {
            let plan = try await database.transaction { connection throws(ServerPersistenceError) in
                // The few rows of a test are read without an index by a planner that knows how few they are.
                let isSQLite = connection.dialect == .sqlite
                if !isSQLite { try connection.enqueue("SET LOCAL enable_seqscan = off", []) }
                let texts = condition.hasPrefix("aaid")
                let arguments = texts ? [SQLValue.text("F1D0#0001"), .blob([2])] : [.blob([1])]
                return try connection.rows(
                    "EXPLAIN \(isSQLite ? "QUERY PLAN" : "") SELECT * FROM credentials WHERE \(condition)", arguments)
            }
            let words = plan.map { "\($0)" }.joined(separator: " ")
            #expect(words.contains("SEARCH") || words.contains("Index"), "\(condition): \(plan)")
        }
    }

    /// A challenge is consumed once, also by a refusal.
    func consumption() async throws {
        #expect(try await commit(1, .refuse(nil)) == .committed)
        #expect(try await commit(1, .refuse(nil)) == .refused(.challengeUsed))
        #expect(try await commit(2, .refuse(nil)) == .committed)
    }

    /// A challenge that expired before the watermark is refused, also when its row is gone.
    func watermark() async throws {
        #expect(try await commit(1, .refuse(nil)) == .committed)
        _ = try await storage.unitOfWork.purgeConsumption(before: now + .seconds(481), limit: 500)
        #expect(try await commit(1, .refuse(nil)) == .refused(.challengeForgotten))
        #expect(try await commit(2, .refuse(nil), expiring: .seconds(480)) == .refused(.challengeForgotten))
        #expect(try await commit(3, .refuse(nil), expiring: .seconds(481)) == .committed)
        // The mark does not go back with the clock.
        _ = try await storage.unitOfWork.purgeConsumption(before: now, limit: 500)
        #expect(try await commit(4, .refuse(nil), expiring: .seconds(480)) == .refused(.challengeForgotten))
    }

    /// A challenge that has not been purged stays consumed.
    func memory() async throws {
        #expect(try await commit(1, .refuse(nil)) == .committed)
        _ = try await storage.unitOfWork.purgeConsumption(before: now + .seconds(480), limit: 500)
        #expect(try await commit(1, .refuse(nil)) == .refused(.challengeUsed))
    }

    /// Two processes consume and record while one of them forgets, and none of the transactions has to begin again.
    func forgetting() async throws {
        let other = SQLStorage(on: try opened.another(), chainID: "test").ports
        let (begun, runs) = (CommitCounter(), CommitCounter())
        let (event, time) = (AuditEvent(.signedIn, at: now, userID: user.id), now)
        async let leader: Void = storage.transaction { _ throws(ServerTransactionFailure) in
            begun.note()
            Thread.sleep(forTimeInterval: 0.3)
        }
        while begun.count == 0 { try await Task.sleep(for: .milliseconds(1)) }
        // Both come while the leader writes; members would share the next transaction.
        async let record: Void = storage.transaction { transaction throws(ServerTransactionFailure) in
            runs.note()
            try transaction.append(event)
        }
        try await Task.sleep(for: .milliseconds(50))
        async let forgotten = storage.unitOfWork.purgeConsumption(before: time, limit: 500)
        try await other.transaction { transaction throws(ServerTransactionFailure) in
            runs.note()
            _ = try transaction.consumptionWatermark()
            Thread.sleep(forTimeInterval: 0.6)
            try transaction.append(event)
        }
        try await leader
        try await record
        #expect(try await forgotten == 0)
        #expect(runs.count == 2, "no transaction was given up for another one")
    }

    /// The counter is moved by compare-and-set.
    func counterGrows(stored: UInt32, seen: UInt32) async throws {
        let credential = try credential(counter: stored)
        try await register(1, credential)
        #expect(try await commit(2, use(credential, seen)) == .committed)
        let after = try #require(try await self.stored(credential))
        #expect(after.counters == Counters(signatures: seen, registrations: 7))
        #expect(after.lastSuccessAt == now)
    }

    /// A counter that does not grow is refused, and consumes.
    func counterStays(stored: UInt32, seen: UInt32) async throws {
        let credential = try credential(counter: stored)
        try await register(1, credential)
        #expect(try await commit(2, use(credential, seen)) == .refused(.counterNotGreater))
        #expect(try await commit(2, use(credential, stored + 1)) == .refused(.challengeUsed))
        #expect(try await self.stored(credential) == credential.credential)
    }

    /// Locked, disabled and removed are judged at the moment of writing.
    func states() async throws {
        let credential = try credential()
        try await register(1, credential)
        try await storage.setStatus(.locked, of: user.id, at: now)
        #expect(try await commit(2, use(credential, 0)) == .refused(.userInactive))
        let another = CeremonyOutcome.Effect.register([try self.credential()], of: user.id, limit: 10)
        #expect(try await commit(3, another) == .refused(.userInactive))
        try await storage.setStatus(.active, of: user.id, at: now)
        let (id, owner, time) = (credential.credential.id, user.id, now)
        _ = try await storage.transaction { transaction throws(ServerTransactionFailure) in
            try transaction.setStatus(.disabled, of: [id], ownedBy: owner, at: time)
        }
        #expect(try await commit(4, use(credential, 0)) == .refused(.credentialDisabled))
        try await remove(id)
        #expect(try await commit(5, use(credential, 0)) == .refused(.credentialRemoved))
    }

    /// A key registered again is another credential: an answer proved for the old one does not count.
    func registeredAgain() async throws {
        let old = try credential()
        try await register(1, old)
        try await remove(old.credential.id)
        let new = try credential(of: old.credential.id.keyID)
        try await register(2, new)
        #expect(try await commit(3, use(old, 0)) == .refused(.credentialRemoved))
        #expect(try await commit(4, use(new, 0)) == .committed)
    }

    /// A set of credentials is registered as a whole or not at all.
    func atomicSet() async throws {
        let known = try credential()
        try await register(1, known)
        let fresh = try credential()
        let set = CeremonyOutcome.Effect.register([fresh, known], of: user.id, limit: 10)
        #expect(try await commit(2, set) == .refused(.credentialExists))
        #expect(try await stored(fresh) == nil)
        let tooMany = CeremonyOutcome.Effect.register([fresh, try credential()], of: user.id, limit: 2)
        #expect(try await commit(3, tooMany) == .refused(.tooManyCredentials))
        #expect(try await storage.credentials.credentials(of: user.id).count == 1)
    }

    /// Of many registrations at the same time exactly ten succeed.
    func limitRace() async throws {
        let credentials = try (0..<30).map { _ in try credential() }
        let committed = try await withThrowingTaskGroup(of: CommitResult.self) { group in
            for (number, credential) in credentials.enumerated() {
                group.addTask {
                    try await commit(UInt8(number), .register([credential], of: user.id, limit: 10))
                }
            }
            return try await group.reduce(0) { $0 + ($1 == .committed ? 1 : 0) }
        }
        #expect(committed == 10)
        #expect(try await storage.credentials.credentials(of: user.id).count == 10)
    }

    /// A session begins only with the authentication that grants it.
    func session() async throws {
        let verified = try credential(counter: 5)
        let credential = verified.credential
        try await register(1, verified)
        let session = Session(
            cookieHash: CookieHash(of: [1]), userID: user.id, method: .fidoUAF,
            evidence: .init(authenticatedAt: now, registrations: [credential.registrationID]), createdAt: now,
            expiresAt: now + .seconds(900))
        let uses = [CeremonyOutcome.CredentialUse(registrationID: credential.registrationID, signCounter: 5)]
        #expect(try await commit(2, .authenticate(uses, session: session)) == .refused(.counterNotGreater))
        #expect(try await storage.sessions.session(session.cookieHash) == nil)
        let better = [CeremonyOutcome.CredentialUse(registrationID: credential.registrationID, signCounter: 6)]
        #expect(try await commit(3, .authenticate(better, session: session)) == .committed)
        #expect(try await storage.sessions.session(session.cookieHash) == OwnedSession(session: session, user: user))
    }

    /// A COMMIT that fails consumes nothing.
    func failingCommit() async throws {
        database.set { $0.failsCommits = true }
        await #expect(throws: ServerError.storageUnavailable) { try await commit(1, .refuse(nil)) }
        database.set { $0.failsCommits = false }
        #expect(try await commit(1, .refuse(nil)) == .committed)
    }

    /// A statement that fails at any place leaves nothing of its outcome behind.
    func failingStatements() async throws {
        var failures = 0
        for statements in 2... {
            database.set { $0.statementsLeft = statements }
            do {
                _ = try await commit(1, .register([try credential()], of: user.id, limit: 10))
                break
            } catch {
                failures += 1
                try #require(failures < 100)
            }
        }
        database.set { $0.statementsLeft = nil }
        #expect(failures > 5)
        #expect(try await storage.credentials.credentials(of: user.id).count == 1)
        #expect(try await AuditService(log: storage.audit).verify().breaks.isEmpty)
    }

    /// The failures of the database are told to the operator.
    func reporting() async throws {
        let reported = ReportedFailures()
        let ports = SQLStorage(on: database, chainID: "other") { reported.add($0) }.ports
        database.set { $0.failsReads = true }
        await #expect(throws: ServerError.storageUnavailable) { try await ports.users.user(user.id) }
        #expect(reported.all == [FaultyDatabase.fault])
    }
}
