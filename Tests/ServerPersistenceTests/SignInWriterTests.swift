import DeviceAttestation
import ServerCore
import ServerPersistence
import TestSupport
import Testing
import UAF

/// In-band sign-ins, which PostgreSQL writes with one statement and SQLite table by table, with the same results.
@Suite("Sign-ins that come at the same time, on SQLite and on PostgreSQL")
struct SignInWriterTests {
    @Test(
        "All that hold are written, with sessions, counters, records and what the status shows",
        arguments: StoredDatabase.allCases)
    func writing(storage kind: StoredDatabase) async throws {
        let stage = try await SignInStage(kind, credentials: 40)
        let outcomes = (0..<40).map { stage.outcome($0) }
        #expect(try await stage.commit(outcomes).allSatisfy { $0 == .committed })
        let stored = try await stage.storage.credentials.credentials(of: stage.user.id)
        #expect(
            stored.count == 40 && stored.allSatisfy { $0.counters.signatures == 6 && $0.lastSuccessAt == stage.now })
        for outcome in outcomes {
            guard case .authenticate(_, let session?) = outcome.effect else { continue }
            #expect(try await stage.storage.sessions.session(session.cookieHash)?.session == session)
            let id = try #require(outcome.inBand?.id)
            let ended = try await stage.storage.read { snapshot throws(ServerTransactionFailure) in
                try snapshot.endedCeremony(id)
            }
            #expect(ended?.progress.status == .succeeded)
        }
        let report = try await AuditService(log: stage.storage.audit).verify()
        #expect(report.breaks.isEmpty && report.intactRecords == ["test": 41])
        let records = try await stage.storage.audit.records(of: "test", after: 0, limit: 100)
        let key = AuditKey.ofTests
        #expect(records.allSatisfy { $0.proof == AuditKey.proof(of: $0.hash, key.code(of: $0.event)) })
    }

    @Test(
        "Each that does not hold is refused with its reason, and disturbs no other",
        arguments: StoredDatabase.allCases)
    func refusing(storage kind: StoredDatabase) async throws {
        let stage = try await SignInStage(kind, credentials: 30)
        let (id, user, now) = (stage.credentials[3].id, stage.user.id, stage.now)
        _ = try await stage.storage.transaction { transaction throws(ServerTransactionFailure) in
            try transaction.setStatus(.disabled, of: [id], ownedBy: user, at: now)
        }
        let outcomes = (0..<30).map { stage.outcome($0, counter: $0.isMultiple(of: 5) ? 5 : 6) }
        let results = try await stage.commit(outcomes)
        for (number, result) in results.enumerated() {
            let expected: CommitResult =
                number == 3
                ? .refused(.credentialDisabled)
                : number.isMultiple(of: 5) ? .refused(.counterNotGreater) : .committed
            #expect(result == expected)
        }
        #expect(try await AuditService(log: stage.storage.audit).verify().breaks.isEmpty)
    }

    @Test("One that breaks a rule of the schema fails, and disturbs no other", arguments: StoredDatabase.allCases)
    func brokenRule(storage kind: StoredDatabase) async throws {
        let stage = try await SignInStage(kind, credentials: 30)
        let outcomes = (0..<30).map { stage.outcome($0) }
        for place in [10, 20] {
            guard case .authenticate(_, let session?) = outcomes[place].effect else { continue }
            try await stage.storage.transaction { transaction throws(ServerTransactionFailure) in
                try transaction.insert(session)
            }
        }
        let failed = await withTaskGroup(of: Int?.self, returning: [Int].self) { group in
            for (place, outcome) in outcomes.enumerated() {
                group.addTask { (try? await stage.storage.unitOfWork.commit(outcome)) == .committed ? nil : place }
            }
            return await group.reduce(into: []) { failed, place in if let place { failed.append(place) } }
        }
        #expect(failed.sorted() == [10, 20])
        #expect(try await AuditService(log: stage.storage.audit).verify().breaks.isEmpty)
    }

    @Test("One challenge that is answered many times is accepted once", arguments: StoredDatabase.allCases)
    func replay(storage kind: StoredDatabase) async throws {
        let stage = try await SignInStage(kind, credentials: 20)
        let results = try await stage.commit((0..<20).map { stage.outcome($0, challenge: 1_000) })
        #expect(results.filter { $0 == .committed }.count == 1)
        #expect(results.filter { $0 == .refused(.challengeUsed) }.count == 19)
    }

    @Test("One counter that is seen many times is accepted once", arguments: StoredDatabase.allCases)
    func counter(storage kind: StoredDatabase) async throws {
        let stage = try await SignInStage(kind, credentials: 1)
        let results = try await stage.commit((0..<20).map { stage.outcome(0, challenge: $0) })
        #expect(results.filter { $0 == .committed }.count == 1)
        #expect(results.filter { $0 == .refused(.counterNotGreater) }.count == 19)
    }

    @Test(
        "Two sign-ins with one assertion of App Attest: one moves the counter of the key, the other is refused",
        arguments: StoredDatabase.allCases)
    func assertion(storage kind: StoredDatabase) async throws {
        let stage = try await SignInStage(kind, credentials: 2)
        let key = AppAttestKey(
            publicKey: [4], keyID: [UInt8](repeating: 9, count: 32), application: "T.a", environment: .production,
            receipt: [0], counter: 6)
        let (id, now) = (try #require(AppAttestKeyID(stored: key.keyID)), stage.now)
        _ = try await stage.storage.transaction { transaction throws(ServerTransactionFailure) in
            try transaction.insert(key, at: now)
        }
        var outcomes = [stage.outcome(0), stage.outcome(1)]
        for place in outcomes.indices { outcomes[place].application = .appleKey(id, counter: 7) }
        let results = try await stage.commit(outcomes)
        #expect(results.contains(.committed) && results.contains(.refused(.assertionReplayed)))
        let stored = try await stage.storage.read { snapshot throws(ServerTransactionFailure) in
            try snapshot.appAttestKey(id)
        }
        #expect(stored?.counter == 7)
    }

    @Test(
        "A lock that comes in between refuses, whichever way the sign-in is written",
        arguments: StoredDatabase.allCases)
    func lockedUser(storage kind: StoredDatabase) async throws {
        let stage = try await SignInStage(kind, credentials: 3)
        try await stage.storage.setStatus(.locked, of: stage.user.id, at: stage.now)
        let results = try await stage.commit((0..<3).map { stage.outcome($0) })
        #expect(results == Array(repeating: .refused(.userInactive), count: 3))
    }

    @Test(
        "Two processes that answer the same challenges accept each once, and both chains hold",
        arguments: StoredDatabase.allCases)
    func twoProcesses(storage kind: StoredDatabase) async throws {
        let stage = try await SignInStage(kind, credentials: 25)
        let second = SQLStorage(on: try #require(stage.opened).another(), chainID: "second").ports
        let outcomes = (0..<25).map { stage.outcome($0) }
        async let one = stage.commit(outcomes)
        let other = try await withThrowingTaskGroup(of: (Int, CommitResult).self) { group in
            for (place, outcome) in outcomes.enumerated() {
                group.addTask { (place, try await second.unitOfWork.commit(outcome)) }
            }
            return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
        for (mine, theirs) in zip(try await one, other) {
            #expect([mine, theirs].filter { $0 == .committed }.count == 1)
            #expect([mine, theirs].contains(.refused(.challengeUsed)))
        }
        #expect(try await AuditService(log: stage.storage.audit).verify().breaks.isEmpty)
    }
}
