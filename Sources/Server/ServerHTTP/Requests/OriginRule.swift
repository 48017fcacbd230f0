import HTTPTypes
import Hummingbird
import Octets

/// Keeps pages of other sites from using the cookies of a browser.
///
/// Phones and servers send no `Origin`; a browser always does with a request that a page of another site makes.
struct OriginRule: Sendable {
    /// Origin under which clients reach the service; nil takes the host that the request names.
    let publicOrigin: String?

    /// Throws ``RequestRefusal/foreignOrigin`` when a page of another origin sends the request.
    func requireOwn(_ request: Request) throws(RequestRefusal) {
        let origins = request.headers[values: .origin]
        guard !origins.isEmpty else { return }
        let own = publicOrigin ?? "https://" + (request.head.authority ?? "")
        guard origins.allSatisfy({ $0.lowercased().hasSameOctets(as: own.lowercased()) }) else {
            throw .foreignOrigin
        }
    }
}
