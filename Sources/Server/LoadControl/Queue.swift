import Synchronization

/// Queues of a server that have a bound.
package enum QueueName: String, CaseIterable, Sendable {
    case handshakes
    case requests
    case commits
    case passwords
    /// Push messages on their way to the push service.
    case deliveries
    /// Status requests that wait for a change.
    case statusWaits = "status_waits"
}

/// Reason for which something did not get into a queue, or left it without its turn.
package enum QueueShedReason: String, CaseIterable, Sendable {
    /// The queue has no room, for this sender or at all.
    case full
    case deadline
    /// The client closed the connection.
    case abandoned
}

/// Receiver of what happens to queues, for metrics and the log.
package protocol QueueReport: Sendable {
    func depth(_ depth: Int, of queue: QueueName)
    /// One has left the queue after this time, and its turn has come.
    func waited(_ time: Duration, in queue: QueueName)
    /// One was refused or taken out.
    func shed(_ reason: QueueShedReason, from queue: QueueName)
    /// The queue has begun to shed, or has not done so for ``QueueShedding/quietTime``.
    func changed(_ change: QueueShedding.Change, of queue: QueueName)
}

/// Report that records nothing, for commands and tests.
package struct SilentQueueReport: QueueReport {
    package init() {}
    package func depth(_ depth: Int, of queue: QueueName) {}
    package func waited(_ time: Duration, in queue: QueueName) {}
    package func shed(_ reason: QueueShedReason, from queue: QueueName) {}
    package func changed(_ change: QueueShedding.Change, of queue: QueueName) {}
}

/// State of a queue that sheds or does not, so that the log tells each change once.
package struct QueueShedding: Sendable {
    /// Change of the state.
    package enum Change: Sendable, Hashable {
        /// The first one was shed after a quiet time.
        case began
        /// Nothing was shed for a quiet time; `count` were before.
        case ended(count: Int)
    }

    /// Time without anything shed after which shedding has ended.
    package static let quietTime: Duration = .seconds(10)

    private var count = 0
    private var last: Duration?

    package init() {}

    package mutating func shed(at now: Duration) -> [Change] {
        let ended = settle(at: now)
        let isFirst = last == nil
        count += 1
        last = now
        return ended + (isFirst ? [.began] : [])
    }

    package mutating func settle(at now: Duration) -> [Change] {
        guard let last, now - last >= Self.quietTime else { return [] }
        defer { self = QueueShedding() }
        return [.ended(count: count)]
    }
}

/// Bound on things that happen at the same time and wait for something outside of the server.
package final class QueueBound: Sendable {
    private let limit: Int
    private let queue: QueueName
    private let controller: LoadController
    private let count = Mutex(0)

    package init(_ limit: Int, of queue: QueueName, _ controller: LoadController) {
        self.limit = limit
        self.queue = queue
        self.controller = controller
    }

    package var depth: Int { count.withLock { $0 } }

    package var retryAfter: Duration { .seconds(controller.retryAfterSeconds) }

    /// Counts one until ``leave()``; false, and shed, when there are as many as may be.
    package func enter() -> Bool {
        let depth = count.withLock { count -> Int? in
            guard count < limit else { return nil }
            count += 1
            return count
        }
        guard let depth else {
            controller.shed(.full, from: queue)
            return false
        }
        controller.depth(depth, of: queue)
        return true
    }

    package func leave() {
        controller.depth(
            count.withLock { count in
                count -= 1
                return count
            }, of: queue)
    }
}
