import Octets
import ServerCore

/// Poll of a client for the tokens of its CIBA request (CIBA Core 1.0, 10.1).
struct BackchannelGrant: GrantHandler {
    let type = "urn:openid:params:grant-type:ciba"
    let polling: BackchannelPolling

    /// The token response, or `authorization_pending`, `slow_down`, `expired_token`, `access_denied` (CIBA Core 1.0, 11).
    ///
    /// `unauthorized_client` for a client that may not use CIBA (RFC 6749, 5.2), `invalid_grant` for a request of another
    /// client, for push delivery, and after the first answer.
    func tokens(
        for request: ClientRequest, of client: RegisteredClient, with proof: KeyProof?
    ) async throws(OpenIDRefusal) -> [UInt8] {
        guard let delivery = client.backchannel else {
            throw OpenIDRefusal(
                .unauthorizedClient, cause: "the client may not use CIBA: set its ciba to poll, ping or push")
        }
        guard let text = request.fields["auth_req_id"], let octets = try? Base64URL.decode(text) else {
            throw OpenIDRefusal(.invalidRequest, field: "auth_req_id")
        }
        if case .push = delivery {
            throw OpenIDRefusal(.invalidGrant, cause: "the client polls, but its ciba is push")
        }
        return try await polling.answer(to: BackchannelRequestHash(of: octets), of: client, with: proof)
    }
}
