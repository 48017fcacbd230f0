import BackendAPI
import Foundation
import Octets
import UAF

/// The address where a token is redeemed, after it was found to belong to a known server.
struct RedeemTarget: Hashable, Sendable {
    let url: URL

    /// The kind of operation that is redeemed there: the last component of the address names it.
    ///
    /// Nil for an address that names none.
    var operation: UAF.Operation? {
        UAF.Operation.allCases.first { url.lastPathComponent.hasSameOctets(as: $0.pathName) }
    }
}
