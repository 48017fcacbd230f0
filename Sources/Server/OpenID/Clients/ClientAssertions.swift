import BackendAPI
import JOSE
import Octets
import ServerCore

/// JWTs by which clients prove themselves (`private_key_jwt`; RFC 7523, 2.2 and 3), each good once.
struct ClientAssertions: Sendable {
    static let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
    /// Longest time until the expiry of a JWT.
    static let maximumLifetime: Duration = .seconds(300)
    static let clockTolerance: Duration = .seconds(30)

    let issuer: String
    let clients: any ClientRegistry
    let keys: ClientKeys
    let transactions: any OpenIDTransactionRunner
    let clock: any WallClock
    let wall: any WallClock

    /// The client that has signed a JWT for this provider or its service at `address`, and is named beside it.
    func client(
        of text: Sensitive<String>, named name: String?, at address: String
    ) async throws(OpenIDRefusal) -> RegisteredClient {
        guard let token = try? CompactJWS(parsing: text.reveal()),
            let claimed = (try? JWTClaims(payload: token.unverifiedPayload))?.issuer
        else { throw OpenIDRefusal(.invalidClient, cause: "client_assertion is not a signed JWT with iss") }
        guard name == nil || name?.hasSameOctets(as: claimed) == true else {
            throw OpenIDRefusal(.invalidClient, cause: "client_id and iss of client_assertion differ")
        }
        guard let client = try await clients.client(named: claimed) else {
            throw OpenIDRefusal(.invalidClient, cause: "no client has this client_id, or it is disabled")
        }
        return try await serving(client) { () async throws(OpenIDRefusal) in
            try await verify(token, of: client, at: address)
            return client
        }
    }

    /// Verifies a JWT that names this client, and uses it up.
    private func verify(
        _ token: CompactJWS, of client: RegisteredClient, at address: String
    ) async throws(OpenIDRefusal) {
        guard case .privateKey(let source) = client.authentication else {
            throw OpenIDRefusal(
                .invalidClient, cause: "the request has client_assertion, but the client has no keys registered")
        }
        guard let keySet = try await keys.keySet(of: client.id, source, for: token.header) else {
            throw OpenIDRefusal(
                .invalidClient, cause: "the address of the client's keys does not answer with a JSON Web Key Set")
        }
        // The key decides the algorithm; `none`, HMAC and the algorithm of another key are refused.
        guard let verified = try? token.verified(by: keySet), let claims = try? JWTClaims(payload: verified.payload)
        else {
            throw OpenIDRefusal(.invalidClient, cause: "no key of the client verifies client_assertion")
        }
        if let fault = fault(of: claims, client, at: address) { throw OpenIDRefusal(.invalidClient, cause: fault) }
        let hash = ClientAssertionHash(of: Array("\(client.id.text)\0\(claims.text("jti") ?? "")".utf8))
        let end = clock.now() + Self.maximumLifetime + Self.clockTolerance * 2
        let isFirst = try await transactions.transactionOrRefusal { transaction throws(ServerTransactionFailure) in
            try transaction.remember(hash, until: end)
        }
        guard isFirst else {
            throw OpenIDRefusal(.invalidClient, cause: "client_assertion was used before: each needs a new jti")
        }
    }

    /// Words about the first claim that does not hold (RFC 7523, 3); nil when all do.
    private func fault(of claims: JWTClaims, _ client: RegisteredClient, at address: String) -> String? {
        let now = wall.now()
        let latest = (now + Self.clockTolerance).seconds
        guard claims.issuer?.hasSameOctets(as: client.id.text) == true,
            claims.subject?.hasSameOctets(as: client.id.text) == true
        else { return "iss and sub of client_assertion have to be the client" }
        guard audiences(at: address).contains(where: { own in claims.audience.contains { $0.hasSameOctets(as: own) } })
        else { return "aud of client_assertion has to be the issuer, the token endpoint or the address of the request" }
        guard let end = claims.expirationTime, end > (now - Self.clockTolerance).seconds else {
            return "client_assertion has no exp, or has expired"
        }
        guard end <= (now + Self.maximumLifetime + Self.clockTolerance).seconds else {
            return "client_assertion lives longer than \(Self.maximumLifetime.components.seconds) s"
        }
        guard claims.notBefore ?? latest <= latest, claims.issuedAt ?? latest <= latest else {
            return "nbf or iat of client_assertion lies in the future"
        }
        guard let jti = claims.text("jti"), (1...256).contains(jti.utf8.count) else {
            return "client_assertion has no jti of 1 to 256 octets"
        }
        return nil
    }

    /// Audiences of a JWT that comes to the service at `address`: the provider, the service, and at every service the token
    /// endpoint, which many clients name wherever they prove themselves (RFC 9126, 2; CIBA Core 1.0, 7.1).
    private func audiences(at address: String) -> [String] {
        [issuer, address, issuer + Endpoint.clientToken.path]
    }
}
