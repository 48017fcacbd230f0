import Synchronization

/// Lifetime of one request: its deadline, whether its client is still there, and where it waits at the moment.
///
/// The route makes it the current one of the task, and each queue between route and database asks for it once, where
/// the request enters the queue. A request that waits when the deadline passes, or when the client closes the
/// connection, is taken out of the queue at once and never runs. A request that has written something is finished
/// whatever the time: its client could not know what was done.
package final class RequestLifetime: Sendable {
    /// Lifetime of the request that the present task answers; nil in tasks of the server itself.
    @TaskLocal package static var current: RequestLifetime?

    /// Reason for which a request is not worth its work any more.
    package enum End: Sendable, Hashable {
        case deadlinePassed
        case clientLeft
    }

    /// Place of a request among the requests in flight.
    package protocol Slot: Sendable {
        /// Gives the place up for a while.
        func leave()

        /// Takes it again, whether there is room or not: what was begun is finished.
        func enter()
    }

    private struct State {
        var deadline: Deadline
        var hasArrived = false
        var isAbandoned = false
        var isHalfClosed = false
        var hasWritten = false
        /// Reason for which the request has left its queues: the first one stays.
        var left: QueueShedReason?
        /// Stays away that leave the place among the requests in flight to others.
        var absences = 0
        /// Absences during which the deadline does not come nearer.
        var pauses = 0
        var slot: (any Slot)?
        var nextPlace = 0
        var places: [Int: @Sendable () -> Void] = [:]
    }

    /// Arrival of the head of the request, on the clock of deadlines.
    package let arrivedAt: Duration
    private let time: Duration
    private let clock: Deadline.Clock
    private let state: Mutex<State>

    package init(time: Duration, clock: @escaping Deadline.Clock = Deadline.clock) {
        self.time = time
        self.clock = clock
        arrivedAt = clock()
        state = Mutex(State(deadline: Deadline(at: arrivedAt + time)))
    }

    /// The moment until which the request may begin to write.
    package var deadline: Deadline { state.withLock { $0.deadline } }

    /// Whether the last octet has arrived.
    package var hasArrived: Bool { state.withLock { $0.hasArrived } }

    /// Whether a transaction of the request is durable.
    package var hasWritten: Bool { state.withLock { $0.hasWritten } }

    /// Whether the client has closed the connection, or its side of it: it waits for nothing any more.
    package var isClientGone: Bool { state.withLock { $0.isAbandoned || $0.isHalfClosed } }

    package var age: Duration { clock() - arrivedAt }

    /// Reason for which nothing of the request is to be begun any more; nil while it is worth its work.
    package var end: End? {
        let now = clock()
        return state.withLock { Self.end(of: $0, at: now) }
    }

    /// Reason for which a queue that the request waited in sheds it; a queue that has refused it was full.
    package var shedReason: QueueShedReason {
        let now = clock()
        return state.withLock { state in
            if let left = state.left { return left }
            return switch Self.end(of: state, at: now) {
            case .deadlinePassed: .deadline
            case .clientLeft: .abandoned
            case nil: state.isHalfClosed ? .abandoned : .full
            }
        }
    }

    private static func end(of state: State, at now: Duration) -> End? {
        if state.hasWritten { return nil }
        if state.isAbandoned { return .clientLeft }
        return state.pauses == 0 && state.deadline.hasPassed(at: now) ? .deadlinePassed : nil
    }

    // MARK: - What happens to it

    /// The last octet has arrived: the deadline counts from now on, however long the client took to send.
    package func isComplete() {
        let now = clock()
        state.withLock { state in
            state.deadline = Deadline(at: now + time)
            state.hasArrived = true
        }
    }

    package func occupies(_ slot: any Slot) { state.withLock { $0.slot = slot } }

    package func isWritten() { state.withLock { $0.hasWritten = true } }

    package func abandon() {
        finish(
            state.withLock { state in
                state.isAbandoned = true
                return Self.takePlaces(&state, at: .zero)
            })
    }

    /// The client has closed its side of the connection: what waits in a queue is given up, what runs goes on.
    ///
    /// The client may still read the answer, but under a load at which requests wait hardly any client that closes does
    /// (so HAProxy's `abortonclose`).
    package func halfClose() {
        finish(
            state.withLock { state in
                state.isHalfClosed = true
                guard !state.hasWritten else { return [] }
                state.left = state.left ?? .abandoned
                defer { state.places = [:] }
                return Array(state.places.values)
            })
    }

    /// Looks at the clock: once the deadline has passed, the request leaves the queue it waits in.
    ///
    /// Returns the time until the next look that makes sense; nil when there is none to come.
    package func expire() -> Duration? {
        let now = clock()
        let (places, left) = state.withLock { state -> ([@Sendable () -> Void], Duration?) in
            if state.hasWritten || state.isAbandoned { return ([], nil) }
            if state.pauses > 0 { return ([], time) }
            let left = state.deadline.left(at: now)
            return left > .zero ? ([], left) : (Self.takePlaces(&state, at: now), nil)
        }
        finish(places)
        return left
    }

    private static func takePlaces(_ state: inout State, at now: Duration) -> [@Sendable () -> Void] {
        guard let end = end(of: state, at: now) else { return [] }
        state.left = state.left ?? (end == .deadlinePassed ? .deadline : .abandoned)
        defer { state.places = [:] }
        return Array(state.places.values)
    }

    private func finish(_ places: [@Sendable () -> Void]) {
        for withdraw in places { withdraw() }
    }

    // MARK: - Waiting

    /// Notes a place in a queue, which `withdraw` gives up; nil, and nothing noted, when the request has ended or its client
    /// has closed its side.
    ///
    /// `withdraw` is called at most once, and not after ``leave(_:)``.
    package func enter(withdraw: @escaping @Sendable () -> Void) -> Int? {
        let now = clock()
        return state.withLock { state in
            guard Self.end(of: state, at: now) == nil, !state.isHalfClosed || state.hasWritten else { return nil }
            state.nextPlace += 1
            state.places[state.nextPlace] = withdraw
            return state.nextPlace
        }
    }

    /// Forgets a place: its turn has come.
    package func leave(_ place: Int) { state.withLock { $0.places[place] = nil } }

    /// Waits for something with its own bound: meanwhile the request does not count as one in flight.
    ///
    /// With `pausing`, for events outside of the server, such as a push message or the user's action, the deadline does
    /// not come nearer either.
    package static func away<Value, Failure: Error>(
        pausing: Bool, _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        guard let current else { return try await body() }
        let begun = current.clock()
        current.goAway(pausing: pausing)
        defer { current.comeBack(pausedSince: pausing ? begun : nil) }
        return try await body()
    }

    private func goAway(pausing: Bool) {
        state.withLock { state -> (any Slot)? in
            state.absences += 1
            if pausing { state.pauses += 1 }
            return state.absences == 1 ? state.slot : nil
        }?.leave()
    }

    private func comeBack(pausedSince begun: Duration?) {
        let now = clock()
        state.withLock { state -> (any Slot)? in
            state.absences -= 1
            if let begun {
                state.pauses -= 1
                state.deadline = Deadline(at: state.deadline.time + (now - begun))
            }
            return state.absences == 0 ? state.slot : nil
        }?.enter()
    }
}
