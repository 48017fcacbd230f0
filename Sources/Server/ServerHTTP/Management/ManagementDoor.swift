import HTTPTypes
import Hummingbird
import Octets
package import ServerCore
import Synchronization

/// Guard of what the management listener tells: to all clients, or to clients with its token.
package final class ManagementDoor: Sendable {
    /// A client, by the token that its request has.
    enum Visitor {
        /// No token is asked for, or this is the one.
        case admitted
        /// The request has no token.
        case unnamed
        /// The request has another token.
        case refused
    }

    private let hash: Mutex<AccessKeyHash?>

    /// Asks for the token with a hash; nil asks for none.
    package init(token hash: AccessKeyHash? = nil) {
        self.hash = Mutex(hash)
    }

    /// Asks for another token from now on; true when it is another one.
    ///
    /// A door that asks for none stays open, and none that asks for one is opened: that takes a restart.
    package func replaceToken(with fresh: AccessKeyHash) -> Bool {
        hash.withLock { known in
            guard let old = known, old != fresh else { return false }
            known = fresh
            return true
        }
    }

    /// Judges a request; the hash of what came is compared, so that the time tells nothing about the token.
    func visitor(of request: Request) -> Visitor {
        guard let known = hash.withLock({ $0 }) else { return .admitted }
        guard let presented = PresentedCredentials(of: request, cookieName: "").bearerToken else { return .unnamed }
        return AccessKeyHash(of: presented.reveal().utf8) == known ? .admitted : .refused
    }
}
