import BackendAPI
import ServerCore
import TestSupport
import Testing
import UAF

/// Contract of the transaction port, kept by the storage and by the values in memory on which rules are tested.
@Suite("Dispatch targets in a transaction, in memory, in SQLite and in PostgreSQL")
struct TargetContractTests {
    @Test("A target is found by identity, device and name, with its user", arguments: ContractStorage.allCases)
    func insertion(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let (jeff, anna, device) = (stage.jeff, stage.anna, stage.device.id)
        let young = try stage.target("young", createdAt: stage.now + .seconds(9))
        let old = try stage.target("old")
        let key = old.signatureKey.thumbprint
        let stranger = DeviceKey(try SyntheticDevice().signatureKey).thumbprint
        let missing = DispatchTargetID(from: stage.random)
        let owned = try await stage.write { transaction throws(ServerTransactionFailure) in
            for target in [young, old] { try transaction.insert(target) }
            return [
                try transaction.targets(of: device, signingWith: key),
                try transaction.targets(of: device, signingWith: stranger),
                [try transaction.target(old.id)].compactMap { $0 },
                [try transaction.target(missing)].compactMap { $0 },
            ]
        }
        let (first, last) = (OwnedTarget(target: old, user: jeff), OwnedTarget(target: young, user: jeff))
        #expect(owned == [[first, last], [], [first], []])
        let named = try await stage.read { snapshot throws(ServerTransactionFailure) in
            [
                try snapshot.target(named: old.name, of: jeff.id), try snapshot.target(named: old.name, of: anna.id),
                try snapshot.target(named: old.name.numbered(2), of: jeff.id),
            ]
        }
        #expect(named == [old.id, nil, nil])
        let counts = try await stage.read { snapshot throws(ServerTransactionFailure) in
            [try snapshot.targetCount(of: jeff.id), try snapshot.targetCount(of: anna.id)]
        }
        #expect(counts == [2, 0])
    }

    @Test("A change writes what it names, to that target only", arguments: ContractStorage.allCases)
    func update(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let (target, other) = (try stage.target("one"), try stage.target("two"))
        var change = TargetChange()
        change.name = DeviceName("three")
        change.destination = .token("push-token")
        change.dispatcher = .firebaseCloudMessaging
        change.encryptionKey = DeviceKey(try stage.device.encryptionKey)
        var unsetting = TargetChange()
        unsetting.unsetsDestination = true
        let (all, none) = (change, unsetting)
        let states = try await stage.write { transaction throws(ServerTransactionFailure) in
            for target in [target, other] { try transaction.insert(target) }
            try transaction.update(target.id, all)
            let changed = try transaction.target(target.id)?.target
            try transaction.update(target.id, none)
            return [changed, try transaction.target(target.id)?.target, try transaction.target(other.id)?.target]
        }
        let changed = try #require(states[0])
        #expect(changed.name == all.name && changed.destination == all.destination)
        #expect(changed.dispatcher == all.dispatcher && changed.encryptionKey == all.encryptionKey)
        #expect(changed.id == target.id && changed.externalID == target.externalID)
        let unset = try #require(states[1])
        #expect(unset.destination == nil && unset.name == all.name && unset.encryptionKey == all.encryptionKey)
        #expect(states[2] == other)
    }

    @Test("A target goes, and leaves its credentials on none", arguments: ContractStorage.allCases)
    func removal(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let (jeff, target, other) = (stage.jeff, try stage.target("one"), try stage.target("two"))
        let (held, elsewhere) = (try stage.credential(on: target.id), try stage.credential(on: other.id))
        let left = try await stage.write { transaction throws(ServerTransactionFailure) in
            for target in [target, other] { try transaction.insert(target) }
            for credential in [held, elsewhere] { _ = try transaction.insert(credential) }
            try transaction.removeTarget(target.id)
            return [try transaction.target(target.id), try transaction.target(other.id)].map { $0?.target.id }
        }
        #expect(left == [nil, other.id])
        let credentials = try await stage.read { snapshot throws(ServerTransactionFailure) in
            [try snapshot.unassignedCredentials(of: jeff.id), try snapshot.credentials(on: other.id)]
        }
        #expect(credentials.map { $0.map(\.id) } == [[held.credential.id], [elsewhere.credential.id]])
    }

    @Test("A signed request is remembered once for each target", arguments: ContractStorage.allCases)
    func replay(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let (one, two) = (try stage.target("one"), try stage.target("two"))
        let until = stage.now + .seconds(60)
        func request(_ id: String, _ target: DispatchTarget) -> SignedRequest {
            SignedRequest(
                targetID: target.id, signatureKey: target.signatureKey.thumbprint, requestID: id,
                rememberedUntil: until)
        }
        let requests = [request("a", one), request("a", one), request("b", one), request("a", two)]
        let answers = try await stage.write { transaction throws(ServerTransactionFailure) in
            var answers: [Bool] = []
            for request in requests { answers.append(try transaction.remember(request)) }
            return answers
        }
        #expect(answers == [true, false, true, true])
    }
}
