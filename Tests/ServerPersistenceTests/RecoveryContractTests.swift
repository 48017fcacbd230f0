import OpenID
import ServerCore
import TestSupport
import Testing

@Suite("Recovery codes and recoveries in a transaction, in memory, in SQLite and in PostgreSQL")
struct RecoveryContractTests {
    static let storages = ContractStorage.allCases

    @Test("A code is used once, of its user only, and new codes take the place of all", arguments: storages)
    func codes(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let (jeff, anna, now) = (stage.jeff.id, stage.anna.id, stage.now)
        let hashes = (0..<8).map { RecoveryCodeHash(of: [$0]) }
        let used = try await stage.write { transaction throws(ServerTransactionFailure) in
            try transaction.setRecoveryCodes(hashes, of: jeff, at: now)
            return [
                try transaction.useRecoveryCode(hashes[0], of: anna),
                try transaction.useRecoveryCode(hashes[0], of: jeff),
                try transaction.useRecoveryCode(hashes[0], of: jeff),
            ]
        }
        #expect(used == [false, true, false])
        let left = try await stage.read { snapshot throws(ServerTransactionFailure) in
            [try snapshot.recoveryCodes(of: jeff)?.count, try snapshot.recoveryCodes(of: anna)?.count]
        }
        #expect(left == [7, nil])
        let renewed = try await stage.write { transaction throws(ServerTransactionFailure) in
            try transaction.setRecoveryCodes([RecoveryCodeHash(of: [9])], of: jeff, at: now + .seconds(1))
            return (
                try transaction.useRecoveryCode(hashes[1], of: jeff), try transaction.recoveryCodes(of: jeff)?.createdAt
            )
        }
        #expect(!renewed.0 && renewed.1 == now + .seconds(1))
    }

    @Test("A user has one recovery, found by the user and by the cookie, until it is removed", arguments: storages)
    func recoveries(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let first = stage.recovery(of: stage.jeff, 1)
        var changed = stage.recovery(of: stage.jeff, 2)
        changed.ceremony = CeremonyID(from: stage.random)
        changed.code = RecoveryCodeHash(of: [7])
        let second = changed
        let found = try await stage.write { transaction throws(ServerTransactionFailure) in
            try transaction.set(first)
            let before = try transaction.recovery(RecoveryCookieHash(of: [1]))
            try transaction.set(second)
            return [
                before, try transaction.recovery(RecoveryCookieHash(of: [1])),
                try transaction.recovery(RecoveryCookieHash(of: [2])), try transaction.recovery(of: second.userID),
            ]
        }
        #expect(found == [first, nil, second, second])
        let removed = try await stage.write { transaction throws(ServerTransactionFailure) in
            [try transaction.removeRecovery(of: second.userID), try transaction.removeRecovery(of: second.userID)]
        }
        #expect(removed == [true, false])
    }
}
