import JOSE
import Octets
import Synchronization

/// Another system whose tokens say who the user is.
package struct TrustedIssuer: Sendable, Hashable {
    /// The `iss` of its tokens.
    package var issuer: String
    /// Its public keys, a JWK Set (RFC 7517, 5) as JSON.
    package var keySet: [UInt8]

    package init(issuer: String, keySet: [UInt8]) {
        self.issuer = issuer
        self.keySet = keySet
    }
}

/// Other systems whose tokens are taken; a running server takes up others.
package final class TrustedIssuers: Sendable {
    /// Key sets of issuers, read and ready.
    package struct Keys: Sendable {
        fileprivate let sets: [(issuer: String, keys: JWKS)]

        /// Reads the key sets; throws ``ServerError/invalidSetting(name:)`` for one that is none.
        package init(_ issuers: [TrustedIssuer]) throws(ServerError) {
            sets = try issuers.map { issuer throws(ServerError) in
                guard let keys = try? JWKS(json: issuer.keySet) else { throw .invalidSetting(name: "trusted-issuers") }
                return (issuer.issuer, keys)
            }
        }
    }

    private let keys: Mutex<Keys>

    init(_ keys: Keys) {
        self.keys = Mutex(keys)
    }

    /// Replaces all issuers: tokens of one that is left out are refused from now on.
    package func replace(with keys: Keys) { self.keys.withLock { $0 = keys } }

    func keys(of issuer: String) -> JWKS? {
        keys.withLock { $0 }.sets.first { $0.issuer.hasSameOctets(as: issuer) }?.keys
    }
}
