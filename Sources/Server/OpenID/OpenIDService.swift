package import ServerCore

/// OpenID Provider as its routes see it (OpenID Connect Core 1.0; RFC 6749, 7009, 7636, 7662, 9126, 9207, 9700).
///
/// Bodies are taken as they came and read strictly: a form of at most 64 KiB whose fields stand once each.
package protocol OpenIDService: Sendable {
    /// Document of discovery (OpenID Connect Discovery 1.0, 4.2), JSON; the same for the life of the process.
    var discoveryDocument: [UInt8] { get }

    /// Keys that sign ID and logout tokens (RFC 7517, 5), with the next key a minute before it signs.
    var keySetDocument: [UInt8] { get async throws(ServerError) }

    /// Answers an authorization request, by query or form (OpenID Connect Core 1.0, 3.1.2.1).
    ///
    /// Throws ``OpenIDRefusal`` without an address to go back to: the page says so and sends the browser nowhere.
    func authorize(
        _ fields: OpenIDFields, browser: BrowserCookies, client: ClientContext
    ) async throws(OpenIDRefusal) -> AuthorizationAnswer

    /// Keeps an authorization request for later (RFC 9126, 2); JSON with `request_uri` and `expires_in`, status 201.
    func push(_ request: ClientRequest) async throws(OpenIDRefusal) -> [UInt8]

    /// Answers a token request (RFC 6749, 3.2): `authorization_code`, `refresh_token`, CIBA.
    func token(_ request: ClientRequest) async throws(OpenIDRefusal) -> [UInt8]

    /// Claims of the bearer of an access token (OpenID Connect Core 1.0, 5.3), JSON.
    func userInformation(accessToken: String?) async throws(OpenIDRefusal) -> [UInt8]

    /// State of a token of the client that asks (RFC 7662, 2.2), JSON; `{"active":false}` for tokens of other clients.
    func introspect(_ request: ClientRequest) async throws(OpenIDRefusal) -> [UInt8]

    /// Ends the grant of a token of the client that asks (RFC 7009, 2.1); also for a token that is none.
    func revoke(_ request: ClientRequest) async throws(OpenIDRefusal)

    /// Ends the session of a browser (OpenID Connect RP-Initiated Logout 1.0, 2), and tells the clients.
    ///
    /// Without an `id_token_hint` of this session the answer is ``AuthorizationAnswer/page(_:)``, which asks first.
    func logOut(
        _ fields: OpenIDFields, browser: BrowserCookies, client: ClientContext
    ) async throws(OpenIDRefusal) -> AuthorizationAnswer

    func authenticate(_ request: ClientRequest) async throws(OpenIDRefusal) -> RegisteredClient
}
