import CommandSupport
import Logging
import ServerCore
import ServerHTTP

/// Listener for liveness, health and metrics, as far as it is made before it runs.
struct ManagementListener {
    /// Place where it listens, taken for this process.
    enum Place {
        case address(ListenerAddress)
        case socket(ManagementSocket)
    }

    /// Place where it can be asked, for people and scripts.
    enum Opened {
        /// A host and the real port.
        case address(ListenerAddress)
        case socket(path: String)
    }

    let door: ManagementDoor
    let place: Place

    /// Takes the place that the settings name; throws what ``ManagementSocket/take(_:access:)`` does.
    init(_ settings: ManagementSettings) throws {
        door = ManagementDoor(token: settings.token?.hash)
        place =
            switch settings.place {
            case .address(let address): .address(address)
            case .socket(let path, let access): .socket(try ManagementSocket.take(path, access: access))
            }
    }
}

extension ManagementListener.Place {
    func listener(_ limits: RequestLimits, logger: Logger) -> HTTPListener {
        switch self {
        case .address(let address): HTTPListener(address: address, limits: limits, logger: logger)
        case .socket(let socket): HTTPListener(unixSocket: socket.draft, limits: limits, logger: logger)
        }
    }

    /// Lets others find the listener, which runs now, and says where.
    func published(port: Int) throws(PosixFiles.Failure) -> ManagementListener.Opened {
        switch self {
        case .address(let address):
            return .address(ListenerAddress(host: address.host, port: port))
        case .socket(let socket):
            try socket.publish()
            return .socket(path: socket.path)
        }
    }

    func leave() {
        switch self {
        case .address: break
        case .socket(let socket): socket.remove()
        }
    }
}
