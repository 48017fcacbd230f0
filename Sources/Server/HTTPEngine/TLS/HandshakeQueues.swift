import LoadControl
import NIOCore
import Synchronization

/// The schedulers of handshakes of a listener, one for each event loop.
final class HandshakeQueues: Sendable {
    /// Numbers of connections in all of them.
    final class Counts: Sendable {
        private let load: LoadController
        private let waiting = Mutex(0)
        private let awaited = Mutex(0)

        init(_ load: LoadController) {
            self.load = load
        }

        /// Those whose handshake has begun and whose first request is expected.
        var expected: Int { awaited.withLock { $0 } }

        func changeExpected(by difference: Int) { awaited.withLock { $0 += difference } }

        /// Adds to the number of waiting handshakes, and reports it.
        func changeWaiting(by difference: Int) {
            waiting.withLock { waiting in
                waiting += difference
                load.depth(waiting, of: .handshakes)
            }
        }
    }

    private let load: LoadController
    private let counts: Counts
    private let schedulers = Mutex<[ObjectIdentifier: NIOLoopBound<HandshakeScheduler>]>([:])

    init(_ load: LoadController) {
        self.load = load
        counts = Counts(load)
    }

    /// The scheduler of an event loop; to be called on it.
    func scheduler(of eventLoop: any EventLoop) -> HandshakeScheduler {
        schedulers.withLock { schedulers in
            if let known = schedulers[ObjectIdentifier(eventLoop)] { return known }
            let made = NIOLoopBound(HandshakeScheduler(eventLoop, load, counts), eventLoop: eventLoop)
            schedulers[ObjectIdentifier(eventLoop)] = made
            return made
        }.value
    }
}
