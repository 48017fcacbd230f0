import BackendAPI
import Foundation
import OpenID
import RelyingParty
import ServerCore
import ServerPersistence
import TestSupport
import Testing
import UAF

@Suite("Strength of accounts in a transaction, in memory, in SQLite and in PostgreSQL")
struct StrengthContractTests {
    private func strength(_ stage: ContractStage, of user: User? = nil) async throws -> AccountStrength {
        let id = (user ?? stage.jeff).id
        return try await stage.read { snapshot throws(ServerTransactionFailure) in try snapshot.strength(of: id) }
    }

    private func register(
        _ protection: KeyAttestationFinding, _ stage: ContractStage
    ) async throws -> RegisteredCredential {
        let added = try stage.credential(protection: protection)
        _ = try await stage.write { transaction throws(ServerTransactionFailure) in try transaction.insert(added) }
        return added.credential
    }

    private func remove(_ credential: RegisteredCredential, after seconds: Int, _ stage: ContractStage) async throws {
        let time = stage.now + .seconds(seconds)
        _ = try await stage.write { transaction throws(ServerTransactionFailure) in
            _ = try transaction.lockUser(credential.userID)
            return try transaction.removeCredential(credential.registrationID, of: credential.userID, at: time)
        }
    }

    @Test("Active keys count by what their registration has proved", arguments: ContractStorage.allCases)
    func registered(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        #expect(try await strength(stage) == AccountStrength())
        for protection in KeyAttestationFinding.allCases { _ = try await register(protection, stage) }
        _ = try await register(.chip, stage)
        #expect(try await strength(stage) == AccountStrength(registered: [.key, .chip, .chipWithPIN]))
        #expect(try await strength(stage, of: stage.anna) == AccountStrength())
    }

    @Test("A removal is noted with its time, and the last one of a method counts", arguments: ContractStorage.allCases)
    func removal(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let keys = [try await register(.chip, stage), try await register(.chip, stage)]
        let plain = try await register(.unproved, stage)
        try await remove(keys[0], after: 20, stage)
        #expect(
            try await strength(stage)
                == AccountStrength(registered: [.key, .chip], removed: [.chip: stage.now + .seconds(20)]))
        try await remove(keys[1], after: 10, stage)
        try await remove(plain, after: 30, stage)
        try await remove(plain, after: 40, stage)
        let removed: [Assurance: Timestamp] = [.chip: stage.now + .seconds(20), .key: stage.now + .seconds(30)]
        #expect(try await strength(stage) == AccountStrength(removed: removed))
        #expect(try await strength(stage, of: stage.anna) == AccountStrength())
    }

    @Test(
        "A key that is switched off is a removed one, and once only; switched on it counts again",
        arguments: ContractStorage.allCases)
    func disabling(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let credential = try await register(.chipWithPIN, stage)
        try await stage.disable(credential)
        let removed = [Assurance.chipWithPIN: stage.now]
        #expect(try await strength(stage) == AccountStrength(removed: removed))
        try await stage.setStatus(.active, credential)
        #expect(try await strength(stage) == AccountStrength(registered: [.chipWithPIN], removed: removed))
        try await stage.disable(credential)
        try await remove(credential, after: 60, stage)
        #expect(try await strength(stage) == AccountStrength(removed: removed))
    }

    @Test("Another user's key is neither switched off nor noted", arguments: ContractStorage.allCases)
    func otherUser(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let credential = try await register(.chip, stage)
        let (anna, now) = (stage.anna.id, stage.now)
        let changed = try await stage.write { transaction throws(ServerTransactionFailure) in
            try transaction.setStatus(.disabled, of: [credential.id], ownedBy: anna, at: now)
        }
        #expect(changed == [])
        #expect(try await strength(stage) == AccountStrength(registered: [.chip]))
        #expect(try await strength(stage, of: stage.anna) == AccountStrength())
    }

    @Test("What has no row of its own here is noted by name, and forgotten by age", arguments: ContractStorage.allCases)
    func noting(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let (jeff, now) = (stage.jeff.id, stage.now)
        try await stage.write { transaction throws(ServerTransactionFailure) in
            try transaction.noteRemoval(of: .passkey, by: jeff, at: now + .seconds(5))
            try transaction.noteRemoval(of: .passkey, by: jeff, at: now)
            try transaction.noteRemoval(of: .syncedPasskey, by: jeff, at: now)
        }
        let both: [Assurance: Timestamp] = [.passkey: now + .seconds(5), .syncedPasskey: now]
        #expect(try await strength(stage) == AccountStrength(removed: both))
        let forgotten = try await stage.write { transaction throws(ServerTransactionFailure) in
            try transaction.forgetRemovals(before: now + .seconds(5), limit: 10)
        }
        #expect(forgotten == 1)
        #expect(try await strength(stage) == AccountStrength(removed: [.passkey: now + .seconds(5)]))
    }

    @Test(
        "Passkeys count by whether they leave their device, and their removal is noted",
        arguments: ContractStorage.allCases)
    func passkeys(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let (jeff, now) = (stage.jeff.id, stage.now)
        let name = try #require(DeviceName("laptop"))
        let bound = try Passkey(of: jeff, named: name, at: now, random: stage.random)
        let synced = try Passkey(of: jeff, named: name, at: now, random: stage.random, isSynced: true)
        let added = try await stage.write { transaction throws(ServerTransactionFailure) in
            [try transaction.insert(bound), try transaction.insert(synced)]
        }
        #expect(added == [true, true])
        #expect(try await strength(stage) == AccountStrength(registered: [.passkey, .syncedPasskey]))
        let removed = try await stage.write { transaction throws(ServerTransactionFailure) in
            _ = try transaction.lockUser(jeff)
            return [
                try transaction.removePasskey(bound.id, of: jeff, at: now),
                try transaction.removePasskey(bound.id, of: jeff, at: now + .seconds(9)),
            ]
        }
        #expect(removed == [true, false])
        #expect(try await strength(stage) == AccountStrength(registered: [.syncedPasskey], removed: [.passkey: now]))
    }

    @Test(
        "A stronger key that another process registers comes before or after the sign-in that has locked the user",
        arguments: [ContractStorage.sqlite, .postgreSQL])
    func order(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        _ = try await register(.unproved, stage)
        let (jeff, added, other) = (stage.jeff.id, try stage.credential(), try stage.anotherProcess())
        let reading = CommitCounter()
        async let signIn = stage.write { transaction throws(ServerTransactionFailure) in
            _ = try transaction.lockUser(jeff)
            let before = try transaction.strength(of: jeff).registered
            reading.note()
            Thread.sleep(forTimeInterval: 0.2)
            return [before, try transaction.strength(of: jeff).registered]
        }
        while reading.count == 0 { try await Task.sleep(for: .milliseconds(1)) }
        let seen = try await other.transaction { transaction throws(ServerTransactionFailure) in
            _ = try transaction.lockUser(jeff)
            _ = try transaction.insert(added)
            return try transaction.strength(of: jeff).registered
        }
        #expect(try await signIn == [[.key], [.key]])
        #expect(seen == [.key, .chip])
    }
}
