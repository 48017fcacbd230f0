import TestSupport
import Testing
import UAF

@testable import ServerCore
@testable import UAFService

@Suite("Removing keys and targets, without a database")
struct RemoveCredentialTests {
    private let stage: RuleStage
    private let target: DispatchTarget
    private var transaction: MemoryTransaction { stage.transaction }

    init() throws {
        stage = try RuleStage()
        target = try stage.addTarget(on: SyntheticDevice())
    }

    private func remove(_ ids: [CredentialID], _ kind: AuditEvent.Kind) throws -> [CredentialID] {
        try RemoveCredential(in: transaction).remove(ids, of: stage.user.id) { stage.event(kind).about($0) }
    }

    @Test("An owner takes the target away with the last key on it")
    func owner() throws {
        let keys = try (0..<2).map { _ in try stage.addCredential(on: target.id) }
        #expect(try remove([keys[0].id], .deregistration) == [keys[0].id])
        #expect(transaction.state.targets == [target])
        #expect(try remove([keys[0].id, keys[1].id], .deregistration) == [keys[1].id])
        #expect(transaction.state.targets.isEmpty)
        #expect(transaction.kinds == [.deregistration, .deregistration, .targetDeleted])
    }

    @Test("An administrator leaves the target and ends all logins")
    func administrator() throws {
        let key = try stage.addCredential(on: target.id)
        #expect(try remove([key.id], .credentialRemoved) == [key.id])
        #expect(transaction.state.targets == [target])
        #expect(try #require(transaction.user(stage.user.id)).notBefore > stage.now)
    }

    @Test("Another user's key is not removed")
    func foreign() throws {
        let key = try stage.addCredential()
        let removed = try RemoveCredential(in: transaction).remove([key.id], of: UserID(from: stage.random)) { _ in
            stage.event(.deregistration)
        }
        #expect(removed.isEmpty && transaction.state.credentials == [key] && transaction.kinds.isEmpty)
    }

    @Test("A target is added and removed by a login that holds, and by no other")
    func targets() throws {
        let rule = ChangeTarget(in: transaction)
        let event = stage.event(.targetCreated)
        let another = try stage.target(on: SyntheticDevice(), named: "tablet")
        let ended = stage.grant(at: stage.now - .seconds(1))
        stage.setUser(notBefore: stage.now)
        #expect(try rule.add(another, by: ended, limit: 5, event: event) == .unauthorized)
        #expect(try rule.remove(target.id, by: ended, event: event) == .unauthorized)
        #expect(try rule.add(another, by: stage.grant(), limit: 1, event: event) == .tooManyTargets)
        #expect(try rule.add(another, by: stage.grant(), limit: 2, event: event) == nil)
        #expect(try rule.add(another, by: stage.grant(), limit: 5, event: event) == .targetNameInUse)
        #expect(try rule.remove(another.id, by: stage.grant(), event: event) == nil)
        #expect(try rule.remove(another.id, by: stage.grant(), event: event) == .targetUnknown)
        #expect(transaction.kinds == [.targetCreated, .targetDeleted])
    }

    @Test("A device goes with its keys, what waits for it, and all logins")
    func device() throws {
        let key = try stage.addCredential(on: target.id)
        let waiting = try stage.operation(for: target.id)
        transaction.insert(waiting)
        let rule = ChangeTarget(in: transaction)
        #expect(try rule.removeDevice(target.id, event: stage.event(.deviceRemoved)) == [key.id])
        #expect(try rule.removeDevice(target.id, event: stage.event(.deviceRemoved)) == nil)
        #expect(stage.status(waiting) == .failed)
        #expect(try #require(transaction.user(stage.user.id)).notBefore > stage.now)
        #expect(transaction.kinds == [.credentialRemoved, .operationCancelled, .targetDeleted, .deviceRemoved])
    }
}
