import BackendAPI
import Foundation
import OpenID
import ServerCore
import ServerPersistence
import Synchronization
import TestSupport
import Testing
import UAFService

@Suite("What a rule has judged, while another process wants to change it, in SQLite and in PostgreSQL")
struct HeldRowTests {
    private static let storages = [ContractStorage.sqlite, .postgreSQL]

    /// Order in which things have happened.
    private final class Course: Sendable {
        private let events = Mutex<[String]>([])

        var all: [String] { events.withLock { $0 } }

        func note(_ event: String) { events.withLock { $0.append(event) } }
    }

    /// Runs `first`, and `second` in another process as soon as `first` has read what it judges and takes its time.
    ///
    /// Returns the order in which both have ended.
    private func race(
        on stage: ContractStage,
        _ first:
            @escaping @Sendable (any OpenIDTransaction, _ pause: () -> Void) throws(ServerTransactionFailure) ->
            Void,
        _ second: @escaping OpenIDTransactionBody<Void>
    ) async throws -> [String] {
        let (course, reading) = (Course(), CommitCounter())
        let other = try stage.anotherProcess()
        async let one: Void = stage.write { transaction throws(ServerTransactionFailure) in
            try first(transaction) {
                reading.note()
                Thread.sleep(forTimeInterval: 0.3)
                course.note("first")
            }
        }
        while reading.count == 0 { try await Task.sleep(for: .milliseconds(1)) }
        try await other.transaction(second)
        course.note("second")
        try await one
        return course.all
    }

    private func progress(_ status: CeremonyProgress.Status, of operation: OutOfBandCeremony) -> CeremonyProgress {
        CeremonyProgress(
            status: status, changedAt: operation.createdAt + .seconds(1), expiresAt: operation.progress.expiresAt,
            tokenResult: .tokenRedeemed)
    }

    @Test(
        "An operation that a response has found waiting is called off before it or after it, never in between",
        arguments: storages)
    func operation(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let operation = try stage.operation(of: stage.jeff)
        try await stage.write { transaction throws(ServerTransactionFailure) in try transaction.insert(operation) }
        let moves = Course()
        let (ended, cancelled) = (progress(.succeeded, of: operation), progress(.failed, of: operation))
        let order = try await race(on: stage) { transaction, pause throws(ServerTransactionFailure) in
            guard let found = try transaction.operation(operation.id) else { return }
            pause()
            moves.note("\(try transaction.advance(found, to: ended, answeredBy: nil))")
        } _: { transaction throws(ServerTransactionFailure) in
            moves.note("\(try transaction.advance(operation, to: cancelled, answeredBy: nil))")
        }
        #expect(order == ["first", "second"])
        #expect(moves.all == ["true", "false"])
    }

    @Test(
        "The logins of a user whom a login has found active end before it or after it, and its session with them",
        arguments: storages)
    func user(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let (jeff, now, session) = (stage.jeff.id, stage.now, stage.session(of: stage.jeff, 1))
        let order = try await race(on: stage) { transaction, pause throws(ServerTransactionFailure) in
            guard try transaction.user(jeff) != nil else { return }
            pause()
            try transaction.insert(session)
        } _: { transaction throws(ServerTransactionFailure) in
            try transaction.endLogins(of: jeff, at: now)
        }
        #expect(order == ["first", "second"])
        let holds = try await stage.read { snapshot throws(ServerTransactionFailure) in
            guard let user = try snapshot.user(jeff) else { return true }
            return try snapshot.holds(session.evidence, of: user)
        }
        #expect(!holds)
    }

    @Test("A grant that is given beside the end of its login ends with it, and its client is told", arguments: storages)
    func grant(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let (jeff, now, grant) = (stage.jeff.id, stage.now, try stage.grant(of: stage.jeff))
        let order = try await race(on: stage) { transaction, pause throws(ServerTransactionFailure) in
            guard try transaction.lockUser(jeff) != nil else { return }
            try transaction.insert(grant)
            pause()
        } _: { transaction throws(ServerTransactionFailure) in
            try transaction.endLogins(of: jeff, at: now)
        }
        #expect(order == ["first", "second"])
        let (left, told) = try await stage.read { snapshot throws(ServerTransactionFailure) in
            (try snapshot.grants(of: jeff), try snapshot.messages(.waiting, limit: 10))
        }
        #expect(left.isEmpty && told.map(\.destination) == ["shop"])
    }

    @Test("Of two devices that their owner gives one name at the same time one has it", arguments: storages)
    func names(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let (one, two) = (try stage.target("one"), try stage.target("two"))
        try await stage.write { transaction throws(ServerTransactionFailure) in
            for target in [one, two] { try transaction.insert(target) }
        }
        var change = TargetChange()
        change.name = DeviceName("tablet")
        let (rename, now, refusals) = (change, stage.now, Course())
        @Sendable func changed(
            _ target: DispatchTarget, in transaction: any OpenIDTransaction
        ) throws(ServerTransactionFailure) {
            let request = SignedRequest(
                targetID: target.id, signatureKey: target.signatureKey.thumbprint, requestID: "1",
                rememberedUntil: now + .seconds(60))
            let event = AuditEvent(.deviceModified, at: now)
            let result = try ApplyDeviceChange(in: transaction, request: request, event: event).change(rename)
            if case .failure(let refusal) = result { refusals.note(refusal.rawValue) }
        }
        let order = try await race(on: stage) { transaction, pause throws(ServerTransactionFailure) in
            try changed(one, in: transaction)
            pause()
        } _: { transaction throws(ServerTransactionFailure) in
            try changed(two, in: transaction)
        }
        #expect(order == ["first", "second"])
        #expect(refusals.all == ["nameInUse"])
    }

    @Test("A target that a request has found is removed before it or after it", arguments: storages)
    func target(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let target = try stage.target()
        try await stage.write { transaction throws(ServerTransactionFailure) in try transaction.insert(target) }
        let credential = try stage.credential(on: target.id)
        let order = try await race(on: stage) { transaction, pause throws(ServerTransactionFailure) in
            guard try transaction.target(target.id) != nil else { return }
            pause()
            _ = try transaction.insert(credential)
        } _: { transaction throws(ServerTransactionFailure) in
            try transaction.removeTarget(target.id)
        }
        #expect(order == ["first", "second"])
        let left = try await stage.read { snapshot throws(ServerTransactionFailure) in
            try snapshot.credential(credential.credential.id)
        }
        #expect(left != nil && left?.targetID == nil, "the key stays, on no target")
    }
}
