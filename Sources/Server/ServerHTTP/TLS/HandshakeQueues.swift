import LoadControl
import NIOCore
import Synchronization

/// The queues of handshakes of a listener, one for each event loop.
final class HandshakeQueues: Sendable {
    /// Number of connections that wait in all of them.
    final class Depth: Sendable {
        private let load: LoadController
        private let count = Mutex(0)

        /// Reports to `load`.
        init(_ load: LoadController) {
            self.load = load
        }

        /// Adds to the number, and reports it.
        func change(by difference: Int) {
            let count = count.withLock { count in
                count += difference
                return count
            }
            load.depth(count, of: .handshakes)
        }
    }

    private let load: LoadController
    private let depth: Depth
    private let queues = Mutex<[ObjectIdentifier: NIOLoopBound<HandshakeQueue>]>([:])

    /// Queues that ask `load` for room.
    init(_ load: LoadController) {
        self.load = load
        depth = Depth(load)
    }

    /// The queue of an event loop; to be called on it.
    func queue(of eventLoop: any EventLoop) -> HandshakeQueue {
        queues.withLock { queues in
            if let known = queues[ObjectIdentifier(eventLoop)] { return known }
            let queue = NIOLoopBound(HandshakeQueue(eventLoop, load, depth), eventLoop: eventLoop)
            queues[ObjectIdentifier(eventLoop)] = queue
            return queue
        }.value
    }
}
