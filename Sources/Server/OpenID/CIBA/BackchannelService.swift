import ServerCore

/// Authentication on another device, begun by a client (OpenID Connect CIBA Core 1.0).
package protocol BackchannelService: Sendable {
    /// Begins a request (7.1): JSON with `auth_req_id`, `expires_in` and, for poll and ping, `interval`.
    ///
    /// `binding_message` (1 to 64 characters, no control characters) is what the phone shows and signs. `login_hint` is a
    /// user name, `id_token_hint` an ID token of this provider for this client, `login_hint_token` is refused.
    func begin(_ request: ClientRequest, of client: RegisteredClient) async throws(OpenIDRefusal) -> [UInt8]
}
