import ServerCore
import TestSupport
import Testing
import UAF

/// Contract of the transaction port, kept by the storage and by the values in memory on which rules are tested.
@Suite("Out-of-band operations and incidents in a transaction, in memory, in SQLite and in PostgreSQL")
struct OperationContractTests {
    /// Adds operations.
    private func insert(_ operations: [OutOfBandCeremony], on stage: ContractStage) async throws {
        try await stage.write { transaction throws(ServerTransactionFailure) in
            for operation in operations { try transaction.insert(operation) }
        }
    }

    /// Moves an operation from the state that `operation` says into another one.
    private func advance(
        _ operation: OutOfBandCeremony, to status: CeremonyProgress.Status, answeredBy user: UserID? = nil,
        on stage: ContractStage
    ) async throws -> Bool {
        let progress = CeremonyProgress(
            status: status, changedAt: stage.now + .seconds(5), expiresAt: operation.progress.expiresAt,
            tokenResult: .tokenRedeemed)
        return try await stage.write { transaction throws(ServerTransactionFailure) in
            try transaction.advance(operation, to: progress, answeredBy: user)
        }
    }

    private func stored(_ operation: OutOfBandCeremony, on stage: ContractStage) async throws -> OutOfBandCeremony? {
        try await stage.read { snapshot throws(ServerTransactionFailure) in try snapshot.operation(operation.id) }
    }

    @Test("An operation is found by its name and its token as it went in", arguments: ContractStorage.allCases)
    func insertion(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        var operation = try stage.operation(of: stage.jeff, for: DispatchTargetID(from: stage.random))
        (operation.isPush, operation.isSealed) = (true, true)
        let (sample, other) = (operation, try stage.operation(of: stage.jeff))
        try await insert([sample], on: stage)
        let found = try await stage.read { snapshot throws(ServerTransactionFailure) in
            [
                try snapshot.operation(sample.id), try snapshot.operation(token: sample.tokenHash),
                try snapshot.operation(other.id), try snapshot.operation(token: other.tokenHash),
            ]
        }
        #expect(found == [sample, sample, nil, nil])
    }

    @Test("What has ended is not open, and neither is what belongs to others", arguments: ContractStorage.allCases)
    func open(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let (jeff, target) = (stage.jeff, DispatchTargetID(from: stage.random))
        let waiting = try stage.operation(of: jeff, for: target)
        let redeemed = try stage.operation(of: jeff)
        let ended = try stage.operation(of: jeff, for: target)
        try await insert([waiting, redeemed, ended, try stage.operation(of: stage.anna)], on: stage)
        #expect(try await advance(redeemed, to: .clientAuthenticating, on: stage))
        #expect(try await advance(ended, to: .failed, on: stage))
        let open = try await stage.read { snapshot throws(ServerTransactionFailure) in
            [try snapshot.openOperations(of: jeff.id), try snapshot.openOperations(for: target)]
        }
        #expect(Set(open[0].map(\.id)) == [waiting.id, redeemed.id])
        #expect(open[1].map(\.id) == [waiting.id])
    }

    @Test(
        "Tokens that wait for a target come newest first, without those redeemed or expired",
        arguments: ContractStorage.allCases)
    func waiting(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let (target, now) = (DispatchTargetID(from: stage.random), stage.now)
        let old = try stage.operation(of: stage.jeff, for: target)
        let new = try stage.operation(of: stage.jeff, for: target, createdAt: 9)
        let redeemed = try stage.operation(of: stage.jeff, for: target, createdAt: 10)
        let expired = try stage.operation(of: stage.jeff, for: target, expiringAt: 20)
        try await insert([old, new, redeemed, expired, try stage.operation(of: stage.jeff)], on: stage)
        #expect(try await advance(redeemed, to: .clientAuthenticating, on: stage))
        let found = try await stage.read { snapshot throws(ServerTransactionFailure) in
            try snapshot.waitingOperations(for: target, after: now + .seconds(20))
        }
        #expect(found == [new, old])
    }

    @Test("Overdue operations come oldest first, no more than are asked for", arguments: ContractStorage.allCases)
    func overdue(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let now = stage.now
        let last = try stage.operation(of: nil, expiringAt: 30)
        let first = try stage.operation(of: nil, expiringAt: 10)
        let later = try stage.operation(of: nil, expiringAt: 31)
        let ended = try stage.operation(of: nil, expiringAt: 5)
        try await insert([last, first, later, ended], on: stage)
        #expect(try await advance(ended, to: .failed, on: stage))
        let found = try await stage.read { snapshot throws(ServerTransactionFailure) in
            [
                try snapshot.overdueOperations(at: now + .seconds(30), limit: 9),
                try snapshot.overdueOperations(at: now + .seconds(30), limit: 1),
                try snapshot.overdueOperations(at: now, limit: 9),
            ]
        }
        #expect(found == [[first, last], [first], []])
    }

    @Test(
        "An operation moves on from the state that was read only, and loses its content with the token",
        arguments: ContractStorage.allCases)
    func advancing(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let operation = try stage.operation(of: nil)
        #expect(try await !advance(operation, to: .failed, on: stage), "it is not written yet")
        try await insert([operation], on: stage)
        #expect(try await advance(operation, to: .clientAuthenticating, on: stage))
        #expect(try await !advance(operation, to: .failed, on: stage), "another one was faster")
        let redeemed = try #require(await stored(operation, on: stage))
        #expect(redeemed.progress.status == .clientAuthenticating && redeemed.progress.tokenResult == .tokenRedeemed)
        #expect(redeemed.sealedContent.isEmpty)
        #expect(redeemed.tokenHash == operation.tokenHash && redeemed.createdAt == operation.createdAt)
        #expect(try await advance(redeemed, to: .succeeded, answeredBy: stage.anna.id, on: stage))
        #expect(try await stored(operation, on: stage)?.userID == stage.anna.id)
    }

    @Test(
        "A code is renewed while it waits, and found by its token and the one before",
        arguments: ContractStorage.allCases)
    func renewal(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let (first, other) = (try stage.operation(of: nil), try stage.operation(of: nil))
        let (second, third) = (
            try stage.operation(of: nil, expiringAt: 150), try stage.operation(of: nil, expiringAt: 180)
        )
        try await insert([first, other], on: stage)
        let (renewed, again) = (first.renewed(by: second), first.renewed(by: second).renewed(by: third))
        let found = try await stage.write { transaction throws(ServerTransactionFailure) in
            try transaction.renew(renewed)
            let once = [try transaction.operation(token: first.tokenHash), try transaction.operation(first.id)]
            try transaction.renew(again)
            return once + [
                try transaction.operation(token: first.tokenHash), try transaction.operation(token: second.tokenHash),
                try transaction.operation(token: third.tokenHash), try transaction.operation(other.id),
            ]
        }
        #expect(found == [renewed, renewed, nil, again, again, other])
        #expect(try await advance(again, to: .clientAuthenticating, on: stage))
        try await stage.write { transaction throws(ServerTransactionFailure) in try transaction.renew(renewed) }
        #expect(try await stored(first, on: stage)?.tokenHash == third.tokenHash)
    }

    @Test(
        "With an operation come its user, all their keys, its target and its receipt, by name and by token",
        arguments: [ContractStorage.sqlite, .postgreSQL])
    func view(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let (ports, target) = (try #require(stage.ports), try stage.target())
        let keys = [
            try stage.credential(registeredAt: stage.now + .seconds(1)), try stage.credential(on: target.id),
            try stage.credential(of: stage.anna),
        ]
        let (whole, bare) = (try stage.operation(of: stage.jeff, for: target.id), try stage.operation(of: nil))
        let event = AuditEvent(.signedIn, at: stage.now, userID: stage.jeff.id)
        let confirmation = try stage.confirmation(of: whole.id)
        try await stage.write { transaction throws(ServerTransactionFailure) in
            try transaction.insert(target)
            for key in keys { _ = try transaction.insert(key) }
            for operation in [whole, bare] { try transaction.insert(operation) }
            try transaction.append(event, with: confirmation)
        }
        let (receipt, holder) = try await stage.read { snapshot throws(ServerTransactionFailure) in
            (try snapshot.receipt(of: whole.id), try snapshot.holder(stage.jeff.id))
        }
        #expect(receipt != nil && holder?.credentials.map(\.id) == [keys[1], keys[0]].map(\.credential.id))
        let view = OperationView(
            operation: whole, holder: holder, targetExternalID: target.externalID, receipt: receipt)
        #expect(try await ports.operations.view(of: whole.id) == view)
        #expect(try await ports.operations.view(token: whole.tokenHash) == view)
        let unnamed = OperationView(operation: bare, holder: nil, targetExternalID: nil)
        #expect(try await ports.operations.view(of: bare.id) == unnamed)
        let renewed = bare.renewed(by: try stage.operation(of: nil, expiringAt: 150))
        try await stage.write { transaction throws(ServerTransactionFailure) in
            try transaction.renew(renewed)
            try transaction.removeTarget(target.id)
        }
        let late = OperationView(operation: renewed, holder: nil, targetExternalID: nil)
        #expect(try await ports.operations.view(token: bare.tokenHash) == late, "the token of before")
        #expect(try await ports.operations.view(token: renewed.tokenHash) == late)
        #expect(try await ports.operations.view(of: whole.id)?.targetExternalID == nil, "the target is gone")
        #expect(try await ports.operations.view(of: CeremonyID(from: stage.random)) == nil)
    }

    @Test("Who answers is written only where no user was known", arguments: ContractStorage.allCases)
    func answering(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let operation = try stage.operation(of: stage.jeff)
        try await insert([operation], on: stage)
        #expect(try await advance(operation, to: .succeeded, answeredBy: stage.anna.id, on: stage))
        #expect(try await stored(operation, on: stage)?.userID == stage.jeff.id)
    }

    @Test(
        "Incidents of one user and kind are told after a time, oldest first, until they are forgotten",
        arguments: ContractStorage.allCases)
    func incidents(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let (jeff, anna, now) = (stage.jeff.id, stage.anna.id, stage.now)
        let times = try await stage.write { transaction throws(ServerTransactionFailure) in
            for offset in [2, 1, 0] { try transaction.note(.push, for: jeff, at: now + .seconds(offset)) }
            try transaction.note(.report, for: jeff, at: now)
            try transaction.note(.push, for: anna, at: now)
            return try transaction.times(of: .push, for: jeff, after: now)
        }
        #expect(times == [now + .seconds(1), now + .seconds(2)])
        let start = now - .seconds(1)
        let left = try await stage.write { transaction throws(ServerTransactionFailure) in
            try transaction.forget(.push, for: jeff)
            return [
                try transaction.times(of: .push, for: jeff, after: start),
                try transaction.times(of: .report, for: jeff, after: start),
                try transaction.times(of: .push, for: anna, after: start),
            ]
        }
        #expect(left == [[], [now], [now]])
    }
}
