import Foundation

/// The address where a token is redeemed, after it was found to belong to a known server.
struct RedeemTarget: Hashable, Sendable {
    let url: URL
}
