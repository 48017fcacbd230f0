import ServerCore
import Synchronization

/// The client's end of one connection, as far as the connection itself tells.
final class ConnectionOrigin: Sendable {
    /// The origin of the connection whose requests the present task answers.
    @TaskLocal static var current: ConnectionOrigin?

    private let client: Mutex<IPAddress?>
    private let malformation = Mutex<RequestRefusal?>(nil)

    /// Begins with the address of the socket.
    init(_ address: IPAddress?) {
        client = Mutex(address)
    }

    /// The address of the socket, or the one that a trusted proxy named in its header.
    var address: IPAddress? {
        get { client.withLock { $0 } }
        set { client.withLock { $0 = newValue } }
    }

    /// Why the last request of the connection is refused before anything looks at it; nil while all can be read.
    var refusal: RequestRefusal? {
        get { malformation.withLock { $0 } }
        set { malformation.withLock { $0 = newValue } }
    }
}
