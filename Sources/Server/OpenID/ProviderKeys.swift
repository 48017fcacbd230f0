import JOSE
import Octets
package import ServerCore

/// Keys of ID and logout tokens.
package struct ProviderKeys: Sendable {
    let service: KeyService
    let issuer: String

    package init(service: KeyService, issuer: String) {
        self.service = service
        self.issuer = issuer
    }

    /// The key that signs for a client now.
    ///
    /// The first key of RS256 is there before a client with it; where it is not, it is made here, in tenths of a second.
    func signer(for algorithm: RegisteredClient.IDTokenAlgorithm) async throws(ServerError) -> KeySigner {
        switch algorithm {
        case .es256: return try service.signer(for: .idToken)
        case .rs256:
            try await service.provide(.idTokenRSA)
            return try service.signer(for: .idTokenRSA)
        }
    }

    /// The key set for clients.
    ///
    /// A process that knows no key of RS256 looks for one: another one may sign with its first already.
    func publishedKeySet() async throws(ServerError) -> JWKS {
        if service.publicKeys(of: .idTokenRSA).isEmpty { try await service.poll() }
        guard let keySet, !keySet.keys.isEmpty else { throw .storageUnavailable }
        return keySet
    }

    /// The key set for clients as JSON (RFC 7517, 5).
    package var keySetDocument: [UInt8] {
        get async throws(ServerError) { try await publishedKeySet().json }
    }

    /// Public keys of all tokens that may still be shown, and of the keys that sign from the next minute on.
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
