import NIOCore

/// Timer of one connection: says when the client has taken too long, over what it sends and over what it reads, and
/// when the server has over an answer.
///
/// The deadline of what it sends moves several times with each request, and a task on the event loop for each would cost
/// more than the rest of a request. So there is one task, on its way for at most the shortest time that is ever given; it
/// looks at the deadlines of the moment at which it fires. All of it runs on the event loop of the connection.
final class ConnectionTimer {
    /// Activity that has taken too long.
    enum Expiry {
        /// The client's, for what it had to send.
        case sending
        /// The client's, for reading an answer.
        case reading
        /// The server's, for an answer.
        case answering
    }

    private let eventLoop: any EventLoop
    private let period: TimeAmount
    private let expire: (Expiry) -> Void
    private var sending: NIODeadline?
    private var reading: NIODeadline?
    private var answering: NIODeadline?
    private var task: Scheduled<Void>?

    /// Gives no time below `shortest`, and calls `expire` once for each deadline that passes.
    init(on eventLoop: any EventLoop, shortest: TimeAmount, expire: @escaping (Expiry) -> Void) {
        self.eventLoop = eventLoop
        period = shortest
        self.expire = expire
    }

    /// Gives the client this time, from now on, for what it has to send; nil where it has nothing to send.
    func giveTime(forSending time: TimeAmount?) {
        sending = time.map { .now() + $0 }
        schedule()
    }

    /// Gives the client this time, from now on, to read an answer; nil while it keeps up.
    func giveTime(forReading time: TimeAmount?) {
        reading = time.map { .now() + $0 }
        schedule()
    }

    /// Gives the server this time, from now on, for an answer; nil while it owes none.
    func giveTime(forAnswering time: TimeAmount?) {
        answering = time.map { .now() + $0 }
        schedule()
    }

    /// Gives up; nothing expires any more.
    func cancel() {
        sending = nil
        answering = nil
        reading = nil
        task?.cancel()
        task = nil
    }

    private func schedule() {
        guard task == nil, let next = [sending, reading, answering].compactMap(\.self).min() else { return }
        task = eventLoop.assumeIsolated().scheduleTask(deadline: min(next, .now() + period)) { self.look() }
    }

    private func look() {
        task = nil
        let now = NIODeadline.now()
        if let reading, reading <= now {
            self.reading = nil
            expire(.reading)
        } else if let sending, sending <= now {
            self.sending = nil
            expire(.sending)
        } else if let answering, answering <= now {
            self.answering = nil
            expire(.answering)
        }
        schedule()
    }
}
