package import LoadControl
package import ServerCore
import Synchronization

/// Gathers the writes of concurrent requests into shared transactions, so that they share the wait for the disk.
///
/// Each member has its savepoint: one that fails leaves no trace and does not disturb the others. No member learns a
/// result before COMMIT has returned, and a COMMIT that fails fails every member. While one transaction runs the next
/// group gathers, and while many requests are in flight for the time of ``GroupPace`` at least; the first of its
/// members leads it, so no task outlives its request. Behind a network, where an exchange takes much longer than its
/// statements, two groups run beside each other while few requests are in flight: no request waits for the end of a
/// group that has a single member.
///
/// The sign-ins of a group go first: where the database writes many at a time (``SignInWriter``) in a separate
/// transaction, and where a transaction is alone at the beginning of the shared one, without savepoints
/// (``SignInGroup``). A refused sign-in joins the others, which name its obstacle.
///
/// Where transactions run beside each other, only the first member of a group waits for the locks of others as long as
/// the settings say, since it holds nothing yet. A further one that meets a lock waits shortly, leaves no trace, and is
/// one of the next group; the records of the audit are appended when all have run. So no two groups wait for each
/// other.
///
/// The queue of gathering requests has a bound. A member whose request ends while it waits (``RequestLifetime``) is
/// refused at once and never runs: a client that was told that nothing was done can rely on it.
package actor GroupCommit {
    /// Members of one transaction at most; a larger crowd waits for the next one.
    package static let memberLimit = 128
    /// Groups at most that run beside each other behind a network, while few requests are in flight; each has a connection.
    static let sparseGroupLimit = 2

    /// Work of one member.
    private struct Work {
        let run: @Sendable (any SQLConnection) throws(ServerPersistenceError) -> Void
        var signIn: SignIn?
        /// Stores the result of a sign-in that was written together with others.
        var settle: @Sendable () -> Void = {}
    }

    private enum Turn: Sendable {
        case lead
        case done(ServerPersistenceError?)
    }

    /// End of a member's turn.
    private enum Ending: Sendable {
        case ended(ServerPersistenceError?)
        /// Without a trace, and another turn to come.
        case postponed
    }

    private struct Member {
        let work: Work
        /// Lifetime of the request that wants it; nil for the server's own work.
        let lifetime: RequestLifetime?
        let enteredAt: Duration
        let place = QueueSlot<Turn>()
        /// Whether it has run and left no trace, since another transaction held what it needs.
        var isPostponed = false

        var isDue: Bool { lifetime?.end == nil }
        /// Whether it is admitted even where no place is left: the server's own work, and requests that have written
        /// already.
        var isOwed: Bool { lifetime?.hasWritten ?? true }
        var deadline: Deadline? { isOwed ? nil : lifetime?.deadline }
    }

    /// Bounds of the queue, and the receiver of its latencies.
    let load: LoadController
    private let database: any SQLDatabase
    private var waiting: [Member] = []
    /// Groups under way, those included that gather their members.
    private var groupCount = 0
    private let pacer: GroupPacer

    package init(_ database: any SQLDatabase, load: LoadController = LoadController()) {
        self.database = database
        self.load = load
        pacer = GroupPacer(load)
    }

    /// Runs `body` as a member of a transaction and returns its result once the transaction is durable.
    ///
    /// Throws what `body` throws, the error of the transaction when that fails as a whole, and
    /// ``ServerPersistenceError/overloaded`` when there is no place in the queue or the request ends before its turn;
    /// `body` has not run then, and never will.
    package func commit<Value: Sendable>(
        _ body: @escaping SQLBody<Value>
    ) async throws(ServerPersistenceError) -> Value {
        let result = CommittedValue<Value>()
        return try await join(result, storing(body, in: result))
    }

    /// Writes a sign-in together with others where the database can, and runs `body` as a member where it cannot, or where
    /// the sign-in has an obstacle, which `body` names.
    package func commit(
        _ signIn: SignIn?, otherwise body: @escaping SQLBody<CommitResult>
    ) async throws(ServerPersistenceError) -> CommitResult {
        let result = CommittedValue<CommitResult>()
        var work = storing(body, in: result)
        work.signIn = signIn
        work.settle = { result.store(.committed) }
        return try await join(result, work)
    }

    private func storing<Value: Sendable>(
        _ body: @escaping SQLBody<Value>, in result: CommittedValue<Value>
    ) -> Work {
        Work { connection throws(ServerPersistenceError) in
            let value = try body(connection)
            result.store(value)
        }
    }

    private func join<Value: Sendable>(
        _ result: CommittedValue<Value>, _ work: Work
    ) async throws(ServerPersistenceError) -> Value {
        let member = Member(work: work, lifetime: RequestLifetime.current, enteredAt: load.now)
        if let failure = await join(member) { throw failure }
        if let lifetime = member.lifetime {
            lifetime.isWritten()
            // The server's own work, such as a purge, may take long without anything being wrong.
            load.committed(after: load.now - member.enteredAt)
        }
        guard let value = result.value else {
            preconditionFailure("a member that did not fail has stored its result")
        }
        return value
    }

    private func join(_ member: Member) async -> ServerPersistenceError? {
        guard groupCount >= groupLimit else {
            groupCount += 1
            return await lead(member)
        }
        guard member.isOwed || hasRoom() else {
            load.shed(.full, from: .commits)
            return .overloaded
        }
        waiting.append(member)
        load.depth(waiting.count, of: .commits)
        switch await member.place.outcome(during: member.lifetime, refused: .done(.overloaded)) {
        case .lead: return await lead(member)
        case .done(let failure): return failure
        }
    }

    /// Commits the work of the leader and of the waiting members, then hands over.
    private func lead(_ leader: Member) async -> ServerPersistenceError? {
        _ = await pacer.wait()
        let isDue = leader.isDue
        if !isDue { countShed(leader) }
        let followers = takeFollowers()
        let endings = await run((isDue ? [leader] : []) + followers)
        settle(Array(zip(followers, endings.dropFirst(isDue ? 1 : 0))))
        handOver()
        // The first of a group is never postponed.
        guard isDue, case .ended(let failure)? = endings.first else { return .overloaded }
        return failure
    }

    /// Ends the waiting of members; postponed ones come first in the next group.
    private func settle(_ endings: [(Member, Ending)]) {
        var postponed: [Member] = []
        for (member, ending) in endings {
            switch ending {
            case .ended(let failure): member.place.end(.done(failure))
            case .postponed:
                var member = member
                member.isPostponed = true
                postponed.append(member)
            }
        }
        waiting.insert(contentsOf: postponed, at: 0)
    }

    // MARK: - The queue

    private var groupLimit: Int { database.isBehindNetwork && pacer.isSparse ? Self.sparseGroupLimit : 1 }

    /// Whether one more may wait; members that have left give their places up.
    private func hasRoom() -> Bool {
        if waiting.count >= load.settings.commitQueue {
            let left = waiting.filter { !$0.place.isOpen && !$0.isPostponed }
            waiting.removeAll { !$0.place.isOpen && !$0.isPostponed }
            for member in left { countShed(member) }
        }
        return waiting.count < load.settings.commitQueue
    }

    private func takeFollowers() -> [Member] {
        var taken: [Member] = []
        var seen = 0
        while seen < waiting.count, taken.count < Self.memberLimit - 1 {
            if begins(waiting[seen]) { taken.append(waiting[seen]) }
            seen += 1
        }
        waiting.removeFirst(seen)
        load.depth(waiting.count, of: .commits)
        return taken
    }

    private func handOver() {
        while !waiting.isEmpty, groupCount <= groupLimit {
            let next = waiting.removeFirst()
            if begins(next) { return next.place.end(.lead) }
        }
        groupCount -= 1
    }

    /// Takes the place of a member; false when it has left, or has to because its request has ended.
    private func begins(_ member: Member) -> Bool {
        guard member.isDue, member.isPostponed || member.place.take() else {
            member.place.withdraw(.done(.overloaded))
            if member.isPostponed { member.place.end(.done(.overloaded)) }
            countShed(member)
            return false
        }
        if member.isPostponed { return true }
        load.waited(load.now - member.enteredAt, in: .commits)
        return true
    }

    private func countShed(_ member: Member) {
        load.shed(member.lifetime?.shedReason ?? .full, from: .commits)
    }

    // MARK: - The transaction

    private func run(_ group: [Member]) async -> [Ending] {
        guard !group.isEmpty else { return [] }
        let works = group.map(\.work)
        return await Deadline.$ofStatements.withValue(Deadline.latest(of: group.map(\.deadline))) {
            await runAll(works)
        }
    }

    private func runAll(_ works: [Work]) async -> [Ending] {
        let signIns = await writeSignIns(of: works)
        let others = works.indices.filter { signIns[$0] == nil }
        var endings = works.indices.map { signIns[$0] ?? .ended(nil) }
        guard !others.isEmpty else { return endings }
        let rest = others.map { works[$0] }
        let together = await runTogether(
            rest, withSignIns: database.signIns == nil && rest.contains { $0.signIn != nil })
        for (index, ending) in zip(others, together) { endings[index] = ending }
        return endings
    }

    /// Writes the sign-ins among the members, and returns the endings of those that need nothing else.
    private func writeSignIns(of works: [Work]) async -> [Int: Ending] {
        let members = works.indices.compactMap { index in works[index].signIn.map { (index: index, signIn: $0) } }
        guard let writer = database.signIns, !members.isEmpty else { return [:] }
        var endings: [Int: Ending] = [:]
        do throws(ServerPersistenceError) {
            let isWritten = try await writer.commit(members.map(\.signIn))
            for (member, _) in zip(members, isWritten).filter(\.1) {
                works[member.index].settle()
                endings[member.index] = .ended(nil)
            }
        } catch {
            // Nothing was written, and one of them is at fault: each has its own end among the others.
            if error.isOfOneStatement { return [:] }
            for member in members { endings[member.index] = .ended(error) }
        }
        return endings
    }

    /// Runs members in one transaction; the sign-ins among them first and without savepoints when `withSignIns` says so.
    private func runTogether(_ works: [Work], withSignIns: Bool) async -> [Ending] {
        do throws(ServerPersistenceError) {
            return try await database.transaction { connection throws(ServerPersistenceError) in
                // Before any other lock: a transaction that forgets waits for all who hold it, and must not be one of
                // them.
                try connection.lock(.consumption)
                let audit = PendingAudit()
                let written = withSignIns ? try Self.writeSignIns(of: works, connection, audit) : []
                let others = works.indices.filter { !written.contains($0) }
                let members = MemberConnection(inner: connection, pending: audit)
                var endings = works.map { _ in Ending.ended(nil) }
                for (index, ending) in zip(others, try Self.run(others.map { works[$0] }, members)) {
                    endings[index] = ending
                }
                try audit.write(connection)
                return endings
            }
        } catch {
            // Nothing was written, and one of the sign-ins may be at fault: each has its own savepoint now.
            if withSignIns, error.isOfOneStatement { return await runTogether(works, withSignIns: false) }
            return works.map { _ in .ended(error) }
        }
    }

    /// Writes the sign-ins among the members where the transaction is alone, and returns the places of those that need
    /// nothing else.
    private static func writeSignIns(
        of works: [Work], _ connection: any SQLConnection, _ audit: PendingAudit
    ) throws(ServerPersistenceError) -> Set<Int> {
        guard connection.dialect.writesAlone else { return [] }
        let places = works.indices.filter { works[$0].signIn != nil }
        let isWritten = try SignInGroup(places.compactMap { works[$0].signIn }).write(connection, audit)
        let written = zip(places, isWritten).filter(\.1).map(\.0)
        for place in written { works[place].settle() }
        return Set(written)
    }

    /// Runs the members one after the other; further ones than the first wait for the locks of others hardly at all.
    private static func run(
        _ works: [Work], _ connection: MemberConnection
    ) throws(ServerPersistenceError) -> [Ending] {
        var endings: [Ending] = []
        var wait = SQLLockWait.usual
        for work in works {
            let failure = try runInSavepoint(work.run, connection)
            let isPostponed = wait != .usual && failure?.isLockTimeout == true
            endings.append(isPostponed ? .postponed : .ended(failure))
            // A group waits shortly once; whatever the further ones need, they have another turn.
            let next = isPostponed || wait == .least ? SQLLockWait.least : .short
            if next != wait, endings.count < works.count {
                try connection.setLockWait(next)
                wait = next
            }
        }
        if wait != .usual { try connection.setLockWait(.usual) }
        return endings
    }

    private static func runInSavepoint(
        _ work: (any SQLConnection) throws(ServerPersistenceError) -> Void, _ connection: MemberConnection
    ) throws(ServerPersistenceError) -> ServerPersistenceError? {
        let records = connection.pending.count
        try connection.enqueue("SAVEPOINT member", [])
        do throws(ServerPersistenceError) {
            try work(connection)
            // Not enqueued: the error of a statement that was has to be this member's.
            try connection.execute("RELEASE SAVEPOINT member", [])
            return nil
        } catch {
            // The transaction is lost as a whole, and begins again or fails with all its members.
            if error.endsTransaction { throw error }
            connection.pending.forget(after: records)
            try rollBackToSavepoint(connection)
            try connection.execute("RELEASE SAVEPOINT member", [])
            return error
        }
    }

    private static func rollBackToSavepoint(_ connection: MemberConnection) throws(ServerPersistenceError) {
        let words = "ROLLBACK TO SAVEPOINT member"
        do throws(ServerPersistenceError) {
            try connection.execute(words, [])
        } catch {
            // A statement that waited for the next one with a result has failed before these words were run.
            if error.endsTransaction { throw error }
            try connection.execute(words, [])
        }
    }
}

/// Carries the result of a member out of the transaction.
private final class CommittedValue<Value: Sendable>: Sendable {
    private let stored = Mutex<Value?>(nil)

    var value: Value? { stored.withLock { $0 } }

    func store(_ value: Value) {
        stored.withLock { $0 = value }
    }
}
