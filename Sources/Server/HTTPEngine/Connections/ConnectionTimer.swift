import NIOCore

/// Timer of one connection: says when a deadline of its ``ConnectionStateMachine`` has passed, or the client has taken too long to read.
///
/// The deadline moves several times with each request, and a task on the event loop for each would cost more than the rest of a
/// request. So there is one task, mostly on its way for the shortest time that requests are given; it looks at the deadlines
/// of the moment at which it fires. All of it runs on the event loop of the connection.
final class ConnectionTimer {
    /// Time that is over.
    enum Expiry {
        case deadline
        /// The client's, for reading an answer.
        case reading
    }

    private let eventLoop: any EventLoop
    private let period: TimeAmount
    private let expire: (Expiry) -> Void
    private var deadline: ConnectionStateMachine.Deadline?
    private var due: NIODeadline?
    private var reading: NIODeadline?
    private var task: (scheduled: Scheduled<Void>, due: NIODeadline)?

    /// Gives no time below `shortest` often, and calls `expire` once for each time that is over.
    init(on eventLoop: any EventLoop, shortest: TimeAmount, expire: @escaping (Expiry) -> Void) {
        self.eventLoop = eventLoop
        period = shortest
        self.expire = expire
    }

    /// Keeps a deadline: where it is another one than before, it has the time that `time` says, from now on.
    func keep(
        _ deadline: ConnectionStateMachine.Deadline?, time: (ConnectionStateMachine.Deadline) -> TimeAmount
    ) {
        guard self.deadline != deadline else { return }
        self.deadline = deadline
        giveTime(deadline.map(time))
    }

    /// Gives the deadline another time, from now on; nil for none.
    func giveTime(_ time: TimeAmount?) {
        due = time.map { eventLoop.now + $0 }
        schedule()
    }

    /// Gives the client this time, from now on, to read an answer; nil while it keeps up.
    func giveTime(forReading time: TimeAmount?) {
        reading = time.map { eventLoop.now + $0 }
        schedule()
    }

    func cancel() {
        due = nil
        reading = nil
        task?.scheduled.cancel()
        task = nil
    }

    private func schedule() {
        guard let next = due.map({ min($0, reading ?? $0) }) ?? reading else { return }
        let moment = min(next, eventLoop.now + period)
        if let task {
            guard moment < task.due else { return }
            task.scheduled.cancel()
        }
        task = (eventLoop.assumeIsolated().scheduleTask(deadline: moment) { self.look() }, moment)
    }

    private func look() {
        task = nil
        let now = eventLoop.now
        if let reading, reading <= now {
            self.reading = nil
            expire(.reading)
        } else if let due, due <= now {
            self.due = nil
            expire(.deadline)
        }
        schedule()
    }
}
