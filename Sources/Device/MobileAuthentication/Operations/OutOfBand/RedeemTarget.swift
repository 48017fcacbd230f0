import BackendAPI
import Foundation
import Octets
import UAF

/// The address where a token is redeemed, after it was found to belong to a known server.
struct RedeemTarget: Hashable, Sendable {
    let url: URL

    /// Whether the address is that of an operation: its last component names one (`backend-http-api` 2.5).
    func names(_ operation: UAF.Operation) -> Bool {
        url.lastPathComponent.hasSameOctets(as: operation.pathName)
    }
}
