import ServerCore
import TestSupport
import Testing

/// Contract of the transaction port, kept by the storage and by the values in memory on which rules are tested.
@Suite("Attempts to log in, in memory and in both databases")
struct AttemptContractTests {
    private let key = AttemptKey(of: [1])
    private let other = AttemptKey(of: [2])

    @Test("Attempts are counted under their key from the first one on", arguments: ContractStorage.allCases)
    func counting(storage: ContractStorage) async throws {
        let (stage, key, other) = (try await ContractStage(storage), key, other)
        let now = stage.now
        let counts = try await stage.write { transaction throws(ServerTransactionFailure) in
            [
                try transaction.countAttempt(key, since: now - .seconds(10), at: now),
                try transaction.countAttempt(key, since: now - .seconds(7), at: now + .seconds(3)),
                try transaction.countAttempt(other, since: now, at: now + .seconds(4)),
            ]
        }
        #expect(
            counts == [
                AttemptCount(count: 1, began: now), AttemptCount(count: 2, began: now),
                AttemptCount(count: 1, began: now + .seconds(4)),
            ])
        let read = try await stage.read { snapshot throws(ServerTransactionFailure) in
            [try snapshot.attempts(key), try snapshot.attempts(AttemptKey(of: [3]))]
        }
        #expect(read == [AttemptCount(count: 2, began: now), nil])
    }

    @Test(
        "A count begins anew when its first attempt is at the start or before; one that seems to come later counts, too",
        arguments: ContractStorage.allCases)
    func beginning(storage: ContractStorage) async throws {
        let (stage, key, other) = (try await ContractStage(storage), key, other)
        let now = stage.now
        let counts = try await stage.write { transaction throws(ServerTransactionFailure) in
            _ = try transaction.countAttempt(key, since: now - .seconds(10), at: now)
            _ = try transaction.countAttempt(other, since: now - .seconds(10), at: now)
            return [
                try transaction.countAttempt(key, since: now, at: now + .seconds(10)),
                try transaction.countAttempt(other, since: now - .seconds(20), at: now - .seconds(1)),
            ]
        }
        #expect(
            counts == [
                AttemptCount(count: 1, began: now + .seconds(10)), AttemptCount(count: 2, began: now - .seconds(1)),
            ])
    }

    @Test("An attempt is taken back, never below none; forgotten ones are gone", arguments: ContractStorage.allCases)
    func takingBack(storage: ContractStorage) async throws {
        let (stage, key, other) = (try await ContractStage(storage), key, other)
        let now = stage.now
        let counts = try await stage.write { transaction throws(ServerTransactionFailure) in
            for key in [key, other] { _ = try transaction.countAttempt(key, since: now - .seconds(1), at: now) }
            var counts: [AttemptCount?] = []
            for _ in 0..<2 {
                try transaction.takeBackAttempt(key)
                counts.append(try transaction.attempts(key))
            }
            try transaction.takeBackAttempt(AttemptKey(of: [3]))
            try transaction.forgetAttempts(other)
            counts.append(try transaction.attempts(other))
            counts.append(try transaction.attempts(AttemptKey(of: [3])))
            return counts
        }
        let none = AttemptCount(count: 0, began: now)
        #expect(counts == [none, none, nil, nil])
    }

    @Test("The oldest counts are removed first, and none that is younger", arguments: ContractStorage.allCases)
    func removal(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let now = stage.now
        let removed = try await stage.write { transaction throws(ServerTransactionFailure) in
            for second in 0..<5 {
                _ = try transaction.countAttempt(
                    AttemptKey(of: [UInt8(second)]), since: now - .seconds(1), at: now + .seconds(second))
            }
            var removed: [Int] = []
            for _ in 0..<3 { removed.append(try transaction.removeAttempts(begunBefore: now + .seconds(3), limit: 2)) }
            return removed
        }
        #expect(removed == [2, 1, 0])
        let left = try await stage.read { snapshot throws(ServerTransactionFailure) in
            var left: [UInt8] = []
            for number in 0..<UInt8(5) where try snapshot.attempts(AttemptKey(of: [number])) != nil {
                left.append(number)
            }
            return left
        }
        #expect(left == [3, 4])
    }
}
