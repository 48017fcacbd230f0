import LoadControl
import Synchronization

/// Gathers the queries of concurrent requests into shared reads, so that they share the way to the database.
///
/// A read on a server takes some statements around its queries, an exchange, and two changes of the thread: more than the
/// queries themselves. What is asked while a read is under way, and by the tasks that are ready beside the one that begins
/// it, goes into one read together, and while many requests are in flight what comes within the time of ``GroupPace``. It sees one state
/// of the database, which is newer than each of the requests.
///
/// A read that takes long, since its connection is lost without a word or the server is slow with it, delays others for
/// no longer than ``patience``: the next request then leads another read.
///
/// The first member of a group leads it, so no task outlives its request. Queries of which one has an error are asked again,
/// each member's by themselves. The queue has a bound, and a member whose request ends while it waits is refused at once.
final class GroupRead: Sendable {
    /// Members of one read at most; a larger crowd waits for the next one.
    static let memberLimit = 128
    /// Time after which a further read begins beside those under way.
    static let patience: Duration = .milliseconds(500)
    static let readLimit = 4
    static let waitingLimit = 1_000

    private typealias Answer = Result<[SQLRow], ServerPersistenceError>

    private enum Turn: Sendable {
        case lead
        case done(Answer)
    }

    private struct Member: Sendable {
        let query: SQLQuery
        let lifetime: RequestLifetime?
        let deadline: Deadline?
        let place = QueueSlot<Turn>()
    }

    private struct State {
        var waiting: [Member] = []
        /// Reads under way, those included that gather their members.
        var readCount = 0
        /// Moment at which the latest of them began, on the clock.
        var latestBeginning = Duration.zero
    }

    private let database: any SQLDatabase
    private let clock: Deadline.Clock
    private let pacer: GroupPacer
    private let state = Mutex(State())

    init(_ database: any SQLDatabase, load: LoadController) {
        self.database = database
        clock = { load.now }
        pacer = GroupPacer(load)
    }

    /// Rows of a query.
    ///
    /// Throws ``ServerPersistenceError/overloaded`` when there is no place in the queue, or the request ends before its turn.
    func rows(of query: SQLQuery) async throws(ServerPersistenceError) -> [SQLRow] {
        let member = Member(query: query, lifetime: RequestLifetime.current, deadline: Deadline.ofStatements)
        let now = clock()
        switch state.withLock({ Self.enter(member, &$0, at: now) }) {
        case .lead: return try await lead(member).get()
        case .refused: throw .overloaded
        case .waits: break
        }
        switch await member.place.outcome(during: member.lifetime, refused: .done(.failure(.overloaded))) {
        case .lead: return try await lead(member).get()
        case .done(let answer): return try answer.get()
        }
    }

    // MARK: - The queue

    var waitingCount: Int { state.withLock { state in state.waiting.count { $0.place.isOpen } } }

    private enum Entry {
        case lead, waits, refused
    }

    private static func enter(_ member: Member, _ state: inout State, at now: Duration) -> Entry {
        let isSlow = now - state.latestBeginning >= patience && state.readCount < readLimit
        if state.readCount == 0 || isSlow {
            state.readCount += 1
            state.latestBeginning = now
            return .lead
        }
        if state.waiting.count >= waitingLimit { state.waiting.removeAll { !$0.place.isOpen } }
        guard state.waiting.count < waitingLimit else { return .refused }
        state.waiting.append(member)
        return .waits
    }

    /// Reads for the leader and for the members that have come, then hands over.
    private func lead(_ leader: Member) async -> Answer {
        // Behind the tasks that are ready, what they ask is part of it. Where some wait already, those are enough: behind a long
        // queue of tasks each turn would make them wait once more.
        if await !pacer.wait(), state.withLock({ $0.waiting.isEmpty }) { await Task.yield() }
        let group = [leader] + takeFollowers()
        let answers = await read(group)
        for (member, answer) in zip(group, answers).dropFirst() { member.place.end(.done(answer)) }
        handOver()
        return answers[0]
    }

    private func takeFollowers() -> [Member] {
        state.withLock { state in
            var taken: [Member] = []
            var seen = 0
            while seen < state.waiting.count, taken.count < Self.memberLimit - 1 {
                if state.waiting[seen].place.take() { taken.append(state.waiting[seen]) }
                seen += 1
            }
            state.waiting.removeFirst(seen)
            return taken
        }
    }

    private func handOver() {
        let now = clock()
        let next = state.withLock { state -> Member? in
            while !state.waiting.isEmpty {
                let next = state.waiting.removeFirst()
                guard next.place.take() else { continue }
                state.latestBeginning = now
                return next
            }
            state.readCount -= 1
            return nil
        }
        next?.place.end(.lead)
    }

    // MARK: - The read

    private func read(_ group: [Member]) async -> [Answer] {
        do throws(ServerPersistenceError) {
            let results = try await read(group.map(\.query), until: Deadline.latest(of: group.map(\.deadline)))
            return results.map { .success($0) }
        } catch {
            guard group.count > 1, error.isOfOneStatement else { return group.map { _ in .failure(error) } }
        }
        var answers: [Answer] = []
        for member in group { answers.append(await readAlone(member)) }
        return answers
    }

    private func readAlone(_ member: Member) async -> Answer {
        do throws(ServerPersistenceError) {
            return .success(try await read([member.query], until: member.deadline)[0])
        } catch {
            return .failure(error)
        }
    }

    /// Reads within a deadline, and not for the request of this task alone.
    private func read(
        _ queries: [SQLQuery], until deadline: Deadline?
    ) async throws(ServerPersistenceError) -> [[SQLRow]] {
        let answer: Result<[[SQLRow]], ServerPersistenceError> = await Deadline.$ofStatements.withValue(deadline) {
            await RequestLifetime.$current.withValue(nil) {
                do throws(ServerPersistenceError) {
                    return .success(try await database.results(of: queries))
                } catch {
                    return .failure(error)
                }
            }
        }
        return try answer.get()
    }
}
