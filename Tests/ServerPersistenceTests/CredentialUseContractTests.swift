import ServerCore
import TestSupport
import Testing
import UAF

/// Contract of the transaction port, kept by the storage and by the values in memory on which rules are tested.
@Suite("Uses and removals of credentials in a transaction, in memory, in SQLite and in PostgreSQL")
struct CredentialUseContractTests {
    /// A counter as it is stored and as it was seen, and whether the use counts.
    struct CounterSample: Sendable {
        let stored: UInt32
        let seen: UInt32
        let isTaken: Bool
    }

    private static let samples = [
        CounterSample(stored: 5, seen: 6, isTaken: true), CounterSample(stored: 5, seen: 5, isTaken: false),
        CounterSample(stored: 5, seen: 0, isTaken: false), CounterSample(stored: 0, seen: 0, isTaken: true),
        CounterSample(stored: 0, seen: 1, isTaken: true),
    ]

    /// A stage with a credential of `jeff`.
    private func registered(
        on storage: ContractStorage, counter: UInt32 = 5
    ) async throws -> (stage: ContractStage, credential: RegisteredCredential) {
        let stage = try await ContractStage(storage)
        let credential = try stage.credential(counter: counter)
        _ = try await stage.write { transaction throws(ServerTransactionFailure) in try transaction.insert(credential) }
        return (stage, credential.credential)
    }

    /// Whether a use is recorded, of a login of so many milliseconds after the beginning.
    private func record(
        _ counter: UInt32, of id: RegistrationID, on stage: ContractStage, loggedInAt offset: Int = 0
    ) async throws -> Bool {
        let use = CeremonyOutcome.CredentialUse(registrationID: id, signCounter: counter)
        let (now, login) = (stage.now + .seconds(1), stage.now + .milliseconds(offset))
        return try await stage.write { transaction throws(ServerTransactionFailure) in
            try transaction.record(use, at: now, loggedInAt: login)
        }
    }

    private func stored(
        _ credential: RegisteredCredential, on stage: ContractStage
    ) async throws -> RegisteredCredential? {
        try await stage.read { snapshot throws(ServerTransactionFailure) in try snapshot.credential(credential.id) }
    }

    @Test(
        "A counter moves only forwards, or stays at zero",
        arguments: ContractStorage.allCases, samples)
    func counter(storage: ContractStorage, sample: CounterSample) async throws {
        let (stage, credential) = try await registered(on: storage, counter: sample.stored)
        #expect(try await record(sample.seen, of: credential.registrationID, on: stage) == sample.isTaken)
        let after = try await stored(credential, on: stage)
        let used = credential.changed(counter: sample.seen, lastSuccessAt: stage.now + .seconds(1))
        #expect(after == (sample.isTaken ? used : credential))
    }

    @Test(
        "A use of an unknown credential, or of one that is switched off, is not recorded",
        arguments: ContractStorage.allCases)
    func inactiveCredential(storage: ContractStorage) async throws {
        let (stage, credential) = try await registered(on: storage)
        #expect(try await !record(6, of: RegistrationID(from: stage.random), on: stage))
        try await stage.disable(credential)
        #expect(try await !record(6, of: credential.registrationID, on: stage))
        #expect(try await stored(credential, on: stage)?.counters == credential.counters)
    }

    @Test("A use by a locked user is not recorded", arguments: ContractStorage.allCases)
    func lockedUser(storage: ContractStorage) async throws {
        let (stage, credential) = try await registered(on: storage)
        try await stage.lock(stage.jeff)
        #expect(try await !record(6, of: credential.registrationID, on: stage, loggedInAt: 5_000))
        #expect(try await stored(credential, on: stage) == credential)
    }

    @Test(
        "A use under a login that was ended is not recorded, under a later one it is",
        arguments: ContractStorage.allCases)
    func endedLogin(storage: ContractStorage) async throws {
        let (stage, credential) = try await registered(on: storage)
        let (jeff, now) = (stage.jeff, stage.now)
        try await stage.write { transaction throws(ServerTransactionFailure) in
            try transaction.endLogins(of: jeff.id, at: now)
        }
        #expect(try await !record(6, of: credential.registrationID, on: stage))
        #expect(try await record(6, of: credential.registrationID, on: stage, loggedInAt: 1))
    }

    @Test(
        "The end of logins also ends what a process whose clock is ahead has let in",
        arguments: ContractStorage.allCases)
    func clockAhead(storage: ContractStorage) async throws {
        let (stage, credential) = try await registered(on: storage)
        let (jeff, now) = (stage.jeff, stage.now)
        // The use is a second ahead of the end.
        #expect(try await record(6, of: credential.registrationID, on: stage, loggedInAt: 1_000))
        let ends = try await stage.write { transaction throws(ServerTransactionFailure) in
            try transaction.endLogins(of: jeff.id, at: now)
            let first = try transaction.user(jeff.id)?.notBefore
            try transaction.endLogins(of: jeff.id, at: now)
            return [first, try transaction.user(jeff.id)?.notBefore]
        }
        #expect(ends == [now + .milliseconds(1_001), now + .milliseconds(1_002)])
        #expect(try await !record(7, of: credential.registrationID, on: stage, loggedInAt: 1_000))
    }

    @Test(
        "A failure is counted without another change, and without a credential too",
        arguments: ContractStorage.allCases)
    func failures(storage: ContractStorage) async throws {
        let (stage, credential) = try await registered(on: storage)
        let unknown = RegistrationID(from: stage.random)
        try await stage.write { transaction throws(ServerTransactionFailure) in
            try transaction.countFailure(of: credential.registrationID)
            try transaction.countFailure(of: unknown)
        }
        #expect(try await stored(credential, on: stage) == credential)
    }

    @Test("A credential is removed once, and can be added again", arguments: ContractStorage.allCases)
    func removal(storage: ContractStorage) async throws {
        let (stage, credential) = try await registered(on: storage)
        let other = try stage.credential()
        let again = try stage.credential(keyID: credential.id.keyID)
        let (id, user, now) = (credential.registrationID, credential.userID, stage.now)
        let results = try await stage.write { transaction throws(ServerTransactionFailure) in
            [
                try transaction.insert(other), try transaction.removeCredential(id, of: user, at: now),
                try transaction.removeCredential(id, of: user, at: now), try transaction.insert(again),
            ]
        }
        #expect(results == [true, true, false, true])
        #expect(try await stored(credential, on: stage) == again.credential)
        #expect(try await stored(other.credential, on: stage) == other.credential)
    }

    @Test("The credentials of one target move to another, others stay", arguments: ContractStorage.allCases)
    func moving(storage: ContractStorage) async throws {
        let (stage, loose) = try await registered(on: storage)
        let (old, new) = (try stage.target("old"), try stage.target("new"))
        let (moved, there) = (try stage.credential(on: old.id), try stage.credential(on: new.id))
        let held = try await stage.write { transaction throws(ServerTransactionFailure) in
            for target in [old, new] { try transaction.insert(target) }
            for credential in [moved, there] { _ = try transaction.insert(credential) }
            try transaction.moveCredentials(from: old.id, to: new.id)
            return [try transaction.credentials(on: old.id), try transaction.credentials(on: new.id)]
        }
        #expect(held[0].isEmpty)
        #expect(Set(held[1].map(\.id)) == [moved.credential.id, there.credential.id])
        #expect(try await stored(loose, on: stage)?.targetID == nil)
    }
}
