import JOSE
import Octets
package import ServerCore

/// Keys of ID and logout tokens.
package struct ProviderKeys: Sendable {
    let service: KeyService
    let issuer: String

    /// Takes the keys of the server, for tokens of this issuer.
    package init(service: KeyService, issuer: String) {
        self.service = service
        self.issuer = issuer
    }

    /// The key that signs for a client now.
    ///
    /// The first client that asks for RS256 finds none: it is made by the next round of maintenance, after seconds, and
    /// until then this throws ``ServerError/storageUnavailable``.
    func signer(for algorithm: RegisteredClient.IDTokenAlgorithm) throws(ServerError) -> KeySigner {
        switch algorithm {
        case .es256: return try service.signer(for: .idToken)
        case .rs256:
            service.want(.idTokenRSA)
            return try service.signer(for: .idTokenRSA)
        }
    }

    /// Public keys of all tokens that may still be shown, and of those that will sign in a minute.
    var keySet: JWKS? { try? JWKS(service.publicKeys(of: .idToken) + service.publicKeys(of: .idTokenRSA)) }

    /// Claims of an ID token of this provider, expired or not, that a client shows as a hint; nil for anything else.
    func claims(ofHint text: String) -> JWTClaims? {
        guard let token = try? CompactJWS(parsing: text), token.header.type?.hasSameOctets(as: IDToken.type) == true,
            let keySet, let verified = try? token.verified(by: keySet),
            let claims = try? JWTClaims(payload: verified.payload),
            claims.issuer?.hasSameOctets(as: issuer) == true
        else { return nil }
        return claims
    }

    /// Subject of a hint, empty for one that is no ID token of this provider; nil without a hint.
    func subject(ofHint text: String?) -> String? { text.map { claims(ofHint: $0)?.subject ?? "" } }
}
