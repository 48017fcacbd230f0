import NIOCore
package import ServerCore

extension ServerHTTPError {
    /// What the failure of a listener to open means; nil when the failure is another one.
    package init?(opening address: ListenerAddress, _ error: any Error) {
        switch error {
        case let error as IOError: self = .addressUnusable(address.authority, errorNumber: error.errnoCode)
        case is SocketAddressError: self = .addressUnknown(address.authority)
        default: return nil
        }
    }
}
