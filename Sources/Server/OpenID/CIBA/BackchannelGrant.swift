import Octets
import ServerCore

/// Poll of a client for the tokens of its CIBA request (CIBA Core 1.0, 10.1).
struct BackchannelGrant: GrantHandler {
    let type = "urn:openid:params:grant-type:ciba"
    let polling: BackchannelPolling

    /// The token response, or `authorization_pending`, `slow_down`, `expired_token`, `access_denied` (CIBA Core 1.0, 11).
    ///
    /// `invalid_grant` for a request of another client, for push delivery, and after the first answer.
    func tokens(
        for request: ClientRequest, of client: RegisteredClient
    ) async throws(OpenIDRefusal) -> [UInt8] {
        guard let text = request.fields["auth_req_id"], let octets = try? Base64URL.decode(text) else {
            throw OpenIDRefusal(.invalidRequest, field: "auth_req_id")
        }
        if case .push = client.backchannel {
            throw OpenIDRefusal(.invalidGrant, cause: "the client polls, but its ciba is push")
        }
        return try await polling.answer(to: BackchannelRequestHash(of: octets), of: client)
    }
}
