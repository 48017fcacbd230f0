import BackendAPI
import JOSE
import Octets
import ServerCore

/// JWTs by which clients prove themselves (`private_key_jwt`; RFC 7523, 2.2 and 3), each good once.
struct ClientAssertions: Sendable {
    /// `client_assertion_type` of such a JWT.
    static let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
    /// Longest time until the expiry of a JWT.
    static let maximumLifetime: Duration = .seconds(300)
    /// Tolerated difference between the clocks of clients and ours.
    static let clockTolerance: Duration = .seconds(30)

    let parts: ProviderParts
    let keys: ClientKeys

    /// The client that has signed a JWT for this provider or its service at `address`, and is named beside it.
    func client(
        of text: Sensitive<String>, named name: String?, at address: String
    ) async throws(OpenIDRefusal) -> RegisteredClient {
        guard let token = try? CompactJWS(parsing: text.reveal()),
            let claimed = (try? JWTClaims(payload: token.unverifiedPayload))?.issuer,
            name == nil || name?.hasSameOctets(as: claimed) == true,
            let client = try await parts.client(named: claimed), case .privateKey(let source) = client.authentication,
            let keySet = try await keys.keySet(of: client.id, source, for: token.header),
            // The key decides the algorithm; `none`, HMAC and the algorithm of another key are refused.
            let verified = try? token.verified(by: keySet), let claims = try? JWTClaims(payload: verified.payload),
            let jti = jti(of: claims, client, at: address)
        else { throw OpenIDRefusal(.invalidClient) }
        let hash = ClientAssertionHash(of: Array("\(client.id.text)\0\(jti)".utf8))
        let end = parts.now + Self.maximumLifetime + Self.clockTolerance * 2
        let isFirst = try await parts.transaction { transaction throws(ServerTransactionFailure) in
            try transaction.remember(hash, until: end)
        }
        guard isFirst else { throw OpenIDRefusal(.invalidClient) }
        return client
    }

    /// `jti` of claims that hold (RFC 7523, 3); nil for others.
    private func jti(of claims: JWTClaims, _ client: RegisteredClient, at address: String) -> String? {
        let now = parts.timeOfDay
        let latest = (now + Self.clockTolerance).seconds
        guard claims.issuer?.hasSameOctets(as: client.id.text) == true,
            claims.subject?.hasSameOctets(as: client.id.text) == true,
            audiences(at: address).contains(where: { own in claims.audience.contains { $0.hasSameOctets(as: own) } }),
            let end = claims.expirationTime, end > (now - Self.clockTolerance).seconds,
            end <= (now + Self.maximumLifetime + Self.clockTolerance).seconds,
            claims.notBefore ?? latest <= latest, claims.issuedAt ?? latest <= latest,
            let jti = claims.text("jti"), (1...256).contains(jti.utf8.count)
        else { return nil }
        return jti
    }

    /// Audiences of a JWT that comes to the service at `address`: the provider, the service, and at every service the token
    /// endpoint, which many clients name wherever they prove themselves (RFC 9126, 2; CIBA Core 1.0, 7.1).
    private func audiences(at address: String) -> [String] {
        [parts.issuer, address, parts.issuer + Endpoint.clientToken.path]
    }
}
