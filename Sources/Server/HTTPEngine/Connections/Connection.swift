package import LoadControl
package import Octets
import Synchronization

/// The sender's end of one connection, as far as the connection itself tells.
package final class ConnectionOrigin: Sendable {
    /// The origin of the connection whose requests the present task answers.
    @TaskLocal package static var current: ConnectionOrigin?

    private let sender: Mutex<IPAddress?>
    private let malformation = Mutex<RequestFault?>(nil)
    private let request = Mutex<RequestLifetime?>(nil)
    private let patience = Mutex<Duration?>(nil)
    private let newness = Mutex(false)
    private let admission = Mutex<AdmissionTicket?>(nil)

    package init(_ address: IPAddress?) {
        sender = Mutex(address)
    }

    /// The address of the socket, or the one that a trusted proxy named in its header.
    package var address: IPAddress? {
        get { sender.withLock { $0 } }
        set { sender.withLock { $0 = newValue } }
    }

    /// Fault of the last request of the connection, which nothing else looks at; nil while all can be read.
    package var fault: RequestFault? {
        get { malformation.withLock { $0 } }
        set { malformation.withLock { $0 = newValue } }
    }

    /// Lifetime of the request that is answered now; nil between requests.
    package var lifetime: RequestLifetime? {
        get { request.withLock { $0 } }
        set { request.withLock { $0 = newValue } }
    }

    /// Whether the request that is answered now is the first one behind a handshake.
    package var isNew: Bool {
        get { newness.withLock { $0 } }
        set { newness.withLock { $0 = newValue } }
    }

    /// Ticket of the request that was let in at its arrival, until it is served; nil where it needs none.
    package var ticket: AdmissionTicket? {
        get { admission.withLock { $0 } }
        set { admission.withLock { $0 = newValue } }
    }

    /// The ticket, for the one who serves the request.
    package func takeTicket() -> AdmissionTicket? {
        admission.withLock { ticket in
            defer { ticket = nil }
            return ticket
        }
    }

    /// Moment before which the client was told not to come back, on the clock of deadlines; nil when nothing was refused
    /// for overload.
    package var refusedUntil: Duration? {
        get { patience.withLock { $0 } }
        set { patience.withLock { $0 = newValue } }
    }
}

/// Counts open connections per network of clients.
final class ConnectionCounter: Sendable {
    private let limit: Int
    private let counts = Mutex<[String: Int]>([:])

    init(limit: Int) {
        self.limit = limit
    }

    /// Counts a connection until ``leave(_:)``; false, and not counted, when the network has all it may.
    func enter(_ network: String) -> Bool {
        counts.withLock { counts in
            let count = counts[network, default: 0]
            guard count < limit else { return false }
            counts[network] = count + 1
            return true
        }
    }

    func leave(_ network: String) {
        counts.withLock { counts in
            let count = counts[network, default: 0]
            counts[network] = count > 1 ? count - 1 : nil
        }
    }
}
