import ServerCore
import ServerPersistence
import Synchronization
import TestSupport
import Testing
import UAF
import UAFService

/// Sign-ins that are members of one transaction, in a known order.
@Suite("Sign-ins in one group, on SQLite and on PostgreSQL", .timeLimit(.minutes(10)))
struct SignInGroupTests {
    /// Statements that were run, in their order.
    private final class Statements: Sendable {
        private let seen = Mutex<[String]>([])

        /// Remembers what a stage runs from now on.
        init(of stage: SignInStage) {
            stage.database.set { faults in
                faults.flaw = { [self] text in
                    seen.withLock { $0.append(text) }
                    return text
                }
            }
        }

        /// Number of statements that begin with some words.
        func count(of words: String) -> Int { seen.withLock { $0.count { $0.hasPrefix(words) } } }
    }

    @Test("They are one transaction of SQLite, without savepoints; one that is refused comes after them with one")
    func statements() async throws {
        let stage = try await SignInStage(.sqlite, credentials: 20)
        let (statements, before) = (Statements(of: stage), stage.database.transactionCount)
        let results = try await stage.commitTogether((0..<19).map { stage.outcome($0) })
        #expect(results.allSatisfy { $0 == .committed })
        #expect(stage.database.transactionCount == before + 2, "the record before the group, and the group")
        #expect(statements.count(of: "SAVEPOINT") == 1, "the record before the group has one")
        let refused = try await stage.commitTogether([stage.outcome(0, challenge: 100), stage.outcome(19)])
        #expect(refused == [.refused(.counterNotGreater), .committed])
        #expect(stage.database.transactionCount == before + 4, "what is refused is judged in the same transaction")
        #expect(statements.count(of: "SAVEPOINT member") == 3)
    }

    @Test(
        "What is written is equal to what the rule writes for one after the other", arguments: StoredDatabase.allCases)
    func equality(storage kind: StoredDatabase) async throws {
        let stage = try await SignInStage(kind, credentials: 12)
        let other = try await SignInStage(kind, credentials: 12)
        let results = try await stage.commitTogether(
            (0..<12).map { stage.outcome($0, counter: 7, after: .milliseconds($0)) })
        #expect(results.allSatisfy { $0 == .committed })
        _ = try await other.first()
        for number in 0..<12 {
            let outcome = other.outcome(number, counter: 7, after: .milliseconds(number))
            let result = try await other.storage.transaction { transaction throws(ServerTransactionFailure) in
                try EndCeremony(in: transaction, outcome).commit()
            }
            #expect(result == .committed)
        }
        let (rows, expected) = (try await stage.rows(), try await other.rows())
        #expect(rows == expected)
        #expect(expected.map(\.count) == [12, 12, 12, 14])
        #expect(try await AuditService(log: stage.storage.audit).verify().breaks.isEmpty)
    }

    @Test("Another write shares their transaction or the next one, and one chain", arguments: StoredDatabase.allCases)
    func beside(storage kind: StoredDatabase) async throws {
        let stage = try await SignInStage(kind, credentials: 5)
        let before = stage.database.transactionCount
        let results = try await stage.commitTogether((0..<5).map { stage.outcome($0) }) {
            try await stage.storage.setStatus(.locked, of: stage.user.id, at: stage.now)
        }
        #expect(results.allSatisfy { $0 == .committed }, "sign-ins go first")
        #expect(stage.database.transactionCount == before + (kind == .sqlite ? 2 : 3))
        let report = try await AuditService(log: stage.storage.audit).verify()
        #expect(report.breaks.isEmpty && report.intactRecords == ["test": 8])
    }

    // MARK: - Conditions

    /// Commits an outcome between two good ones, and returns its result; nothing of it may stand there but the refusal.
    private func refusal(of outcome: CeremonyOutcome, on stage: SignInStage) async throws -> CommitResult? {
        let sessions = try await stage.rows()[1].count
        let results = try await stage.commitTogether([
            stage.outcome(0, challenge: 1_000), outcome, stage.outcome(1, challenge: 1_001),
        ])
        #expect(results.first == .committed && results.last == .committed)
        #expect(try await stage.rows()[1].count == sessions + 2, "the refused one has begun no session")
        #expect(try await AuditService(log: stage.storage.audit).verify().breaks.isEmpty)
        return results[1]
    }

    @Test("A counter has to grow, or be none", arguments: StoredDatabase.allCases, [(5, 6), (0, 0), (0, 1), (5, 9)])
    func growing(storage kind: StoredDatabase, counters: (stored: UInt32, seen: UInt32)) async throws {
        let stage = try await SignInStage(kind, counters: [5, 5, counters.stored])
        let results = try await stage.commitTogether([stage.outcome(0), stage.outcome(2, counter: counters.seen)])
        #expect(results == [.committed, .committed])
    }

    @Test("A counter that does not grow refuses", arguments: StoredDatabase.allCases, [(5, 5), (5, 4), (5, 0), (1, 0)])
    func staying(storage kind: StoredDatabase, counters: (stored: UInt32, seen: UInt32)) async throws {
        let stage = try await SignInStage(kind, counters: [5, 5, counters.stored])
        let outcome = stage.outcome(2, counter: counters.seen)
        #expect(try await refusal(of: outcome, on: stage) == .refused(.counterNotGreater))
        let stored = try await stage.storage.credentials.credential(stage.credentials[2].id)
        #expect(stored == stage.credentials[2])
        #expect(try await stage.commitTogether([outcome]) == [.refused(.challengeUsed)], "the refusal has consumed it")
    }

    @Test("A challenge that was answered before refuses", arguments: StoredDatabase.allCases)
    func replay(storage kind: StoredDatabase) async throws {
        let stage = try await SignInStage(kind, credentials: 4)
        #expect(try await stage.commitTogether([stage.outcome(3)]) == [.committed])
        let replayed = stage.outcome(2, challenge: 3)
        #expect(try await refusal(of: replayed, on: stage) == .refused(.challengeUsed))
    }

    @Test("A challenge that was forgotten refuses, one at the mark does not", arguments: StoredDatabase.allCases)
    func forgotten(storage kind: StoredDatabase) async throws {
        let stage = try await SignInStage(kind, credentials: 4)
        _ = try await stage.storage.unitOfWork.purgeConsumption(before: stage.now + .seconds(480), limit: 500)
        #expect(try await stage.commitTogether([stage.outcome(2)]) == [.committed])
        _ = try await stage.storage.unitOfWork.purgeConsumption(before: stage.now + .seconds(481), limit: 500)
        let results = try await stage.commitTogether([stage.outcome(0), stage.outcome(3)])
        #expect(results == [.refused(.challengeForgotten), .refused(.challengeForgotten)])
    }

    @Test("A user who was locked, and a login that was ended, refuse", arguments: StoredDatabase.allCases)
    func users(storage kind: StoredDatabase) async throws {
        let stage = try await SignInStage(kind, credentials: 2)
        let (anna, credential) = try await stage.another()
        try await stage.storage.users.endLogins(of: anna.id, event: AuditEvent(.userLocked, at: stage.now))
        let ended = stage.outcome(with: credential, challenge: 7)
        #expect(try await refusal(of: ended, on: stage) == .refused(.loginEnded))
        try await stage.storage.setStatus(.locked, of: anna.id, at: stage.now)
        let late = stage.outcome(with: credential, challenge: 8, after: .seconds(60))
        #expect(try await stage.commitTogether([late]) == [.refused(.userInactive)])
        try await stage.storage.setStatus(.active, of: anna.id, at: stage.now)
        let again = stage.outcome(with: credential, challenge: 9, after: .seconds(60))
        #expect(try await stage.commitTogether([again]) == [.committed])
    }

    @Test("A credential that was switched off, or is gone, refuses", arguments: StoredDatabase.allCases)
    func credentials(storage kind: StoredDatabase) async throws {
        let stage = try await SignInStage(kind, credentials: 3)
        let (registration, user, now) = (stage.credentials[2].registrationID, stage.user.id, stage.now)
        let id = stage.credentials[2].id
        _ = try await stage.storage.transaction { transaction throws(ServerTransactionFailure) in
            try transaction.setStatus(.disabled, of: [id], ownedBy: user, at: now)
        }
        #expect(try await refusal(of: stage.outcome(2), on: stage) == .refused(.credentialDisabled))
        _ = try await stage.storage.transaction { transaction throws(ServerTransactionFailure) in
            try transaction.removeCredential(registration, of: user, at: now)
        }
        let gone = stage.outcome(2, challenge: 10)
        #expect(try await stage.commitTogether([gone]) == [.refused(.credentialRemoved)])
    }

    // MARK: - Two that need the same row

    @Test("Of two with one credential each counts behind the one before", arguments: StoredDatabase.allCases)
    func oneCredential(storage kind: StoredDatabase) async throws {
        let stage = try await SignInStage(kind, credentials: 2)
        let growing = [stage.outcome(0, challenge: 1), stage.outcome(0, challenge: 2, counter: 7)]
        #expect(try await stage.commitTogether(growing) == [.committed, .committed])
        let falling = [stage.outcome(1, challenge: 3, counter: 7), stage.outcome(1, challenge: 4, counter: 6)]
        #expect(try await stage.commitTogether(falling) == [.committed, .refused(.counterNotGreater)])
    }

    @Test(
        "Many with one credential share a transaction, and leave what the rule writes for one after the other",
        arguments: StoredDatabase.allCases, [[6, 7, 8, 12], [0, 0, 0, 0], [0, 0, 1, 2]] as [[UInt32]])
    func busyCredential(storage kind: StoredDatabase, counters: [UInt32]) async throws {
        let stored: UInt32 = counters[0] == 0 ? 0 : 5
        let stage = try await SignInStage(kind, counters: [stored, 5])
        let other = try await SignInStage(kind, counters: [stored, 5])
        let outcomes = { (stage: SignInStage) in
            counters.enumerated().map { stage.outcome(0, challenge: $0, counter: $1, after: .milliseconds($0)) }
                + [stage.outcome(1, challenge: 10)]
        }
        let before = stage.database.transactionCount
        #expect(try await stage.commitTogether(outcomes(stage)).allSatisfy { $0 == .committed })
        #expect(stage.database.transactionCount == before + 2, "the record before the group, and the group")
        _ = try await other.first()
        for outcome in outcomes(other) {
            let result = try await other.storage.transaction { transaction throws(ServerTransactionFailure) in
                try EndCeremony(in: transaction, outcome).commit()
            }
            #expect(result == .committed)
        }
        #expect(try await stage.rows() == other.rows())
    }

    @Test(
        "Among many with one credential, one that does not hold is refused and the next ones count",
        arguments: StoredDatabase.allCases)
    func busyCredentialRefused(storage kind: StoredDatabase) async throws {
        let stage = try await SignInStage(kind, credentials: 2)
        #expect(try await stage.commitTogether([stage.outcome(1, challenge: 2)]) == [.committed])
        let results = try await stage.commitTogether([
            stage.outcome(0, challenge: 1, counter: 4), stage.outcome(0, challenge: 2, counter: 8),
            stage.outcome(0, challenge: 3, counter: 9), stage.outcome(0, challenge: 4, counter: 9),
        ])
        #expect(
            results == [
                .refused(.counterNotGreater), .refused(.challengeUsed), .committed, .refused(.counterNotGreater),
            ])
        let credential = try await stage.storage.credentials.credential(stage.credentials[0].id)
        #expect(credential?.counters.signatures == 9)
        #expect(try await AuditService(log: stage.storage.audit).verify().breaks.isEmpty)
    }

    @Test("Of two with one challenge the second is a replay", arguments: StoredDatabase.allCases)
    func oneChallenge(storage kind: StoredDatabase) async throws {
        let stage = try await SignInStage(kind, credentials: 4)
        let good = [stage.outcome(0, challenge: 1), stage.outcome(1, challenge: 1)]
        #expect(try await stage.commitTogether(good) == [.committed, .refused(.challengeUsed)])
        let refused = [stage.outcome(2, challenge: 2, counter: 5), stage.outcome(3, challenge: 2)]
        #expect(try await stage.commitTogether(refused) == [.refused(.counterNotGreater), .refused(.challengeUsed)])
    }

    // MARK: - Failures

    @Test("One whose statement fails leaves nothing, and the others are written", arguments: StoredDatabase.allCases)
    func failingStatement(storage kind: StoredDatabase) async throws {
        let stage = try await SignInStage(kind, credentials: 5)
        let outcomes = (0..<5).map { stage.outcome($0) }
        guard case .authenticate(let uses, let session?) = outcomes[2].effect else { return }
        try await stage.storage.transaction { transaction throws(ServerTransactionFailure) in
            try transaction.insert(session)
        }
        let results = try await stage.commitTogether(outcomes)
        #expect(results == [.committed, .committed, nil, .committed, .committed])
        let stored = try await stage.storage.credentials.credential(stage.credentials[2].id)
        #expect(stored == stage.credentials[2])
        let again = CeremonyOutcome(
            challenge: outcomes[2].challenge, challengeExpiresAt: outcomes[2].challengeExpiresAt,
            effect: .authenticate(uses, session: nil), event: outcomes[2].event)
        #expect(try await stage.commitTogether([again]) == [.committed], "its challenge was not consumed")
        #expect(try await AuditService(log: stage.storage.audit).verify().breaks.isEmpty)
    }

    @Test("When the COMMIT fails nothing of any of them stands there", arguments: StoredDatabase.allCases)
    func failingCommit(storage kind: StoredDatabase) async throws {
        let stage = try await SignInStage(kind, credentials: 5)
        let (outcomes, before) = ((0..<5).map { stage.outcome($0) }, try await stage.rows())
        stage.database.set { $0.failsCommits = true }
        for outcome in outcomes {
            await #expect(throws: ServerError.storageUnavailable) {
                try await stage.storage.unitOfWork.commit(outcome)
            }
        }
        #expect(try await stage.rows() == before)
        stage.database.set { $0.failsCommits = false }
        #expect(try await stage.commitTogether(outcomes).allSatisfy { $0 == .committed })
    }

    @Test("When the mark of what was forgotten is not readable they fail, and disturb no other write")
    func unreadableMark() async throws {
        let stage = try await SignInStage(.sqlite, credentials: 2)
        try await stage.database.transaction { connection throws(ServerPersistenceError) in
            _ = try connection.execute("UPDATE consumption_watermark SET purged_before = 'x'", [])
        }
        let results = try await stage.commitTogether([stage.outcome(0), stage.outcome(1)]) {
            try await stage.storage.setStatus(.locked, of: stage.user.id, at: stage.now)
        }
        #expect(results == [nil, nil])
        #expect(try await stage.storage.users.user(stage.user.id)?.status == .locked)
    }

    @Test("A database in memory writes them, too")
    func memory() async throws {
        let stage = try await SignInStage(inMemory: 3)
        let outcomes = [stage.outcome(0), stage.outcome(1, counter: 5), stage.outcome(2)]
        let results = try await stage.commitTogether(outcomes)
        #expect(results == [.committed, .refused(.counterNotGreater), .committed])
        #expect(try await stage.rows().map(\.count) == [3, 2, 3, 5])
    }
}
