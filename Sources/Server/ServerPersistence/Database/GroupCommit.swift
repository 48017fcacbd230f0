import Synchronization

/// Gathers the writes of concurrent requests into shared transactions, so that they share the wait for the disk.
///
/// Each member has a savepoint of its own: one that fails leaves no trace and does not disturb the others. Nobody
/// learns a result before COMMIT has returned, and a COMMIT that fails fails every member. While one transaction runs
/// the next group gathers; the first of its members leads it, so no task outlives its request.
package actor GroupCommit {
    /// Members of one transaction at most; a larger crowd waits for the next one.
    package static let memberLimit = 128

    private typealias Work = @Sendable (any SQLConnection) throws(ServerPersistenceError) -> Void

    private enum Turn {
        case lead
        case done(ServerPersistenceError?)
    }

    private struct Member {
        let work: Work
        let turn: CheckedContinuation<Turn, Never>
    }

    private let database: any SQLDatabase
    private var waiting: [Member] = []
    private var isCommitting = false

    /// Commits to `database`.
    package init(_ database: any SQLDatabase) {
        self.database = database
    }

    /// Runs `body` as a member of a transaction and returns its result once the transaction is durable.
    ///
    /// Throws what `body` throws, and the error of the transaction when that fails as a whole.
    package func commit<Value: Sendable>(
        _ body: @escaping SQLBody<Value>
    ) async throws(ServerPersistenceError) -> Value {
        let result = CommittedValue<Value>()
        let failure = await join { connection throws(ServerPersistenceError) in
            let value = try body(connection)
            result.store(value)
        }
        if let failure { throw failure }
        guard let value = result.value else {
            preconditionFailure("a member that did not fail has stored its result")
        }
        return value
    }

    private func join(_ work: @escaping Work) async -> ServerPersistenceError? {
        guard isCommitting else {
            isCommitting = true
            return await lead(work)
        }
        let turn = await withCheckedContinuation { waiting.append(Member(work: work, turn: $0)) }
        switch turn {
        case .lead: return await lead(work)
        case .done(let failure): return failure
        }
    }

    /// Commits the leader's own work and that of the members waiting, then hands over.
    private func lead(_ work: @escaping Work) async -> ServerPersistenceError? {
        let followers = waiting.prefix(Self.memberLimit - 1)
        waiting.removeFirst(followers.count)
        let failures = await run([work] + followers.map(\.work))
        for (follower, failure) in zip(followers, failures.dropFirst()) {
            follower.turn.resume(returning: .done(failure))
        }
        if waiting.isEmpty {
            isCommitting = false
        } else {
            waiting.removeFirst().turn.resume(returning: .lead)
        }
        return failures.first ?? nil
    }

    private func run(_ works: [Work]) async -> [ServerPersistenceError?] {
        do throws(ServerPersistenceError) {
            return try await database.transaction { connection throws(ServerPersistenceError) in
                var failures: [ServerPersistenceError?] = []
                for work in works { failures.append(try Self.runInSavepoint(work, connection)) }
                return failures
            }
        } catch {
            return works.map { _ in error }
        }
    }

    private static func runInSavepoint(
        _ work: Work, _ connection: any SQLConnection
    ) throws(ServerPersistenceError) -> ServerPersistenceError? {
        try connection.execute("SAVEPOINT member", [])
        var failure: ServerPersistenceError?
        do throws(ServerPersistenceError) {
            try work(connection)
        } catch {
            failure = error
            try connection.execute("ROLLBACK TO SAVEPOINT member", [])
        }
        try connection.execute("RELEASE SAVEPOINT member", [])
        return failure
    }
}

/// Carries the result of a member out of the transaction.
private final class CommittedValue<Value: Sendable>: Sendable {
    private let stored = Mutex<Value?>(nil)

    /// Result that was stored; nil before.
    var value: Value? { stored.withLock { $0 } }

    func store(_ value: Value) {
        stored.withLock { $0 = value }
    }
}
