import ServerCore

/// Token endpoint: finds the grant that a request names (RFC 6749, 3.2).
package struct TokenEndpoint: Sendable {
    let keys: ProviderKeys
    let wall: any WallClock
    let grants: [any GrantHandler]

    /// Answers a token request of an authenticated client (RFC 6749, 3.2): `authorization_code`, `refresh_token`, CIBA.
    package func answer(_ request: ClientRequest, of client: RegisteredClient) async throws(OpenIDRefusal) -> [UInt8] {
        guard let type = request.fields["grant_type"] else { throw OpenIDRefusal(.invalidRequest, field: "grant_type") }
        guard let grant = grants.first(where: { $0.type == type }) else {
            throw OpenIDRefusal(.unsupportedGrantType, field: "grant_type")
        }
        let proof = try KeyProof(request.proof, at: wall.now())
        guard proof != nil || !client.requiresKeyProof else {
            throw OpenIDRefusal(
                .invalidDPoPProof,
                advice: "This client is registered with require-dpop: send a proof in the header field DPoP.")
        }
        do throws(ServerError) {
            // A code that cannot be answered is not used up.
            _ = try await keys.signer(for: client.idTokenAlgorithm)
        } catch {
            throw OpenIDRefusal(error)
        }
        return try await grant.tokens(for: request, of: client, with: proof)
    }
}
