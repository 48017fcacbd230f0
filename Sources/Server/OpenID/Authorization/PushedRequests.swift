import Octets
import ServerCore
import StrictJSON

/// Authorization requests that a client sends before the browser (RFC 9126).
package struct PushedRequests: Sendable {
    static let prefix = "urn:ietf:params:oauth:request_uri:"

    let settings: OpenIDSettings.Provider
    let keys: ProviderKeys
    let transactions: any OpenIDTransactionRunner
    let clock: any WallClock
    let wall: any WallClock
    let random: any RandomSource
    let bound: OpenRequestBound

    /// Keeps the request of an authenticated client (RFC 9126, 2); JSON with `request_uri` and `expires_in`, status 201.
    ///
    /// A proof of a key stands for its thumbprint in `dpop_jkt` (RFC 9449, 10.1). Any sender can ask in the name of a client without a proof: its requests are bounded like sign-in pages.
    package func push(
        _ request: ClientRequest, of client: RegisteredClient
    ) async throws(OpenIDRefusal) -> [UInt8] {
        let (fields, context) = (request.fields, request.client)
        guard fields["request_uri"] == nil else { throw OpenIDRefusal(.invalidRequest, field: "request_uri") }
        let reader = AuthorizationRequestReader(client: client, isPushed: true)
        var parameters = try reader.parameters(in: fields, redirect: try reader.redirect(in: fields))
        parameters.hintedSubject = keys.subject(ofHint: fields["id_token_hint"])
        if let proof = try KeyProof(request.proof, at: wall.now()) {
            guard parameters.key == nil || parameters.key == proof.key else {
                throw OpenIDRefusal(.invalidDPoPProof, cause: "dpop_jkt is another key than the one of the DPoP proof")
            }
            parameters.key = proof.key
        }
        let kept = parameters
        let isProven = client.authentication != RegisteredClient.Authentication.none
        if !isProven { try await bound.makeRoom() }
        let name = random.secret()
        let lifetime = settings.pushedRequestLifetime
        let now = clock.now()
        let hash = PushedRequestHash(of: name.reveal().utf8)
        try await transactions.transactionOrRefusal { transaction throws(ServerTransactionFailure) -> Void in
            try transaction.insert(
                kept, pushedAs: hash, at: now, until: now + lifetime, from: isProven ? nil : context.network)
        }
        return JSONWriter.write(
            .object([
                "request_uri": .string(Self.prefix + name.reveal()),
                "expires_in": .integer(lifetime.components.seconds),
            ]))
    }

    /// The request of a name, once and for its client only; it is gone afterwards in any case.
    func take(_ uri: String, of client: RegisteredClient) async throws(OpenIDRefusal) -> AuthorizationParameters {
        guard uri.utf8.starts(with: Self.prefix.utf8) else {
            throw OpenIDRefusal(.requestURINotSupported, field: "request_uri")
        }
        let hash = PushedRequestHash(of: uri.utf8.dropFirst(Self.prefix.utf8.count))
        let now = clock.now()
        let parameters = try await transactions.transactionOrRefusal {
            transaction throws(ServerTransactionFailure) -> AuthorizationParameters? in
            guard let found = try transaction.takePushedRequest(hash), found.parameters.client == client.id,
                now < found.expiresAt
            else { return nil }
            return found.parameters
        }
        guard let parameters, client.redirects.contains(where: { $0.named(parameters.redirect.text) != nil }) else {
            throw OpenIDRefusal(
                .invalidRequestURI, field: "request_uri",
                cause: "the pushed request was used before, has expired, or is another client's")
        }
        return parameters
    }
}
