import LoadControl
import NIOCore
import Synchronization

/// The turns of handshakes of a listener, for each event loop.
final class HandshakeQueues: Sendable {
    /// Numbers of connections in all of them.
    final class Counts: Sendable {
        private let load: LoadController
        private let waiting = Mutex(0)
        private let awaited = Mutex(0)

        /// Reports to `load`.
        init(_ load: LoadController) {
            self.load = load
        }

        /// Those whose handshake has begun and whose first request is expected.
        var expected: Int { awaited.withLock { $0 } }

        /// Adds to the number of expected requests.
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
    private let turns = Mutex<[ObjectIdentifier: NIOLoopBound<HandshakeTurns>]>([:])

    /// Turns that ask `load` for room.
    init(_ load: LoadController) {
        self.load = load
        counts = Counts(load)
    }

    /// The turns of an event loop; to be called on it.
    func turns(of eventLoop: any EventLoop) -> HandshakeTurns {
        turns.withLock { turns in
            if let known = turns[ObjectIdentifier(eventLoop)] { return known }
            let made = NIOLoopBound(HandshakeTurns(eventLoop, load, counts), eventLoop: eventLoop)
            turns[ObjectIdentifier(eventLoop)] = made
            return made
        }.value
    }
}
