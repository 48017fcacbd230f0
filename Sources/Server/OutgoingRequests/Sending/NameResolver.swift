package import Octets
package import OpenID
import ServerCore

/// Resolver of names of hosts; it is asked once for each request.
package protocol NameResolver: Sendable {
    /// Addresses of a host, in the order in which they should be tried; none when there is no such name.
    ///
    /// Throws ``OutgoingFailure/timedOut`` after `time`.
    func addresses(of host: String, within time: Duration) async throws(OutgoingFailure) -> [IPAddress]
}
