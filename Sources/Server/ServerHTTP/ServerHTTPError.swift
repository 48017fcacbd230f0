import NIOCore
package import ServerCore

/// Failure to start the server.
@nonexhaustive
package enum ServerHTTPError: Error, Hashable, Sendable {
    /// No plain listener outside loopback: give a certificate or listen on 127.0.0.1.
    case plainListenerOutsideLoopback
    /// The system refuses the address (`HOST:PORT`) of a listener, for example because another program has the port.
    case addressUnusable(String, errorNumber: Int32)
    /// The host of a listener's address (`HOST:PORT`) cannot be resolved.
    case addressUnknown(String)
}

extension ServerHTTPError {
    package init?(opening address: ListenerAddress, _ error: any Error) {
        switch error {
        case let error as IOError: self = .addressUnusable(address.authority, errorNumber: error.errnoCode)
        case is SocketAddressError: self = .addressUnknown(address.authority)
        default: return nil
        }
    }
}
