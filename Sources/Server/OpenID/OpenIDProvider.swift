import BackendAPI
import JOSE
package import ServerCore

/// OpenID Provider of the server: authorization, sign-in, tokens, userinfo, introspection, revocation, logout.
package final class OpenIDProvider: Sendable {
    private let parts: ProviderParts
    private let authentication: ClientAuthentication
    private let pushed: PushedRequests
    private let endpoint: AuthorizationEndpoint
    private let tokens: TokenEndpoint
    private let bearers: GrantBearers
    private let logout: ProviderLogout
    private let grants: GrantIssue
    private let sessions: SignInSessions
    private let begins: SignInBegin
    /// Document of discovery; the same for the life of the process.
    package let discoveryDocument: [UInt8]

    /// Puts the provider together; `fetcher` reads the key sets of clients.
    package init(parts: ProviderParts, fetcher: any OutgoingSender) {
        self.parts = parts
        authentication = ClientAuthentication(
            parts: parts,
            assertions: ClientAssertions(parts: parts, keys: ClientKeys(fetcher: fetcher, clock: parts.ports.clock)))
        pushed = PushedRequests(parts: parts)
        grants = GrantIssue(parts: parts)
        let exchange = TokenExchange(parts: parts, issue: grants)
        let polling = BackchannelPolling(
            grants: grants, confirmations: parts.confirmations, transactions: parts.transactions,
            clock: parts.ports.clock)
        tokens = TokenEndpoint(
            keys: parts.keys,
            grants: [
                CodeGrant(exchange: exchange), RefreshTokenGrant(exchange: exchange),
                BackchannelGrant(polling: polling),
            ])
        bearers = GrantBearers(parts: parts)
        let codes = CodeIssue(parts: parts, grants: grants)
        let browsers = ProviderSessions(parts: parts)
        endpoint = AuthorizationEndpoint(parts: parts, pushed: pushed, codes: codes, sessions: browsers)
        logout = ProviderLogout(parts: parts, sessions: browsers)
        sessions = SignInSessions(parts: parts, codes: codes, browsers: browsers)
        begins = SignInBegin(parts: parts, sessions: sessions)
        discoveryDocument = Discovery(issuer: parts.issuer).document
    }
}

extension OpenIDProvider: OpenIDService {
    package var keySetDocument: [UInt8] {
        get async throws(ServerError) { try await parts.keys.publishedKeySet().json }
    }

    package func authorize(
        _ fields: OpenIDFields, browser: BrowserCookies, client: ClientContext
    ) async throws(OpenIDRefusal) -> AuthorizationAnswer {
        try await endpoint.authorize(fields, browser: browser, client: client)
    }

    package func push(_ request: ClientRequest) async throws(OpenIDRefusal) -> [UInt8] {
        let client = try await authenticate(request)
        return try await serving(client) { () async throws(OpenIDRefusal) in
            try await pushed.push(request.fields, of: client, from: request.client)
        }
    }

    package func token(_ request: ClientRequest) async throws(OpenIDRefusal) -> [UInt8] {
        let client = try await authenticate(request)
        return try await serving(client) { () async throws(OpenIDRefusal) in
            try await tokens.answer(request, of: client)
        }
    }

    package func userInformation(accessToken: String?) async throws(OpenIDRefusal) -> [UInt8] {
        try await bearers.userInformation(accessToken: accessToken)
    }

    package func introspect(_ request: ClientRequest) async throws(OpenIDRefusal) -> [UInt8] {
        let client = try await authenticate(request)
        return try await serving(client) { () async throws(OpenIDRefusal) in
            try await bearers.introspect(request.fields, by: client)
        }
    }

    package func revoke(_ request: ClientRequest) async throws(OpenIDRefusal) {
        let client = try await authenticate(request)
        try await serving(client) { () async throws(OpenIDRefusal) in
            try await bearers.revoke(request.fields, by: client, request.client)
        }
    }

    package func logOut(
        _ fields: OpenIDFields, browser: BrowserCookies, client: ClientContext
    ) async throws(OpenIDRefusal) -> AuthorizationAnswer {
        try await logout.logOut(fields, browser: browser, client: client)
    }

    package func authenticate(_ request: ClientRequest) async throws(OpenIDRefusal) -> RegisteredClient {
        try await authentication.authenticate(request)
    }
}

extension OpenIDProvider: SignInService {
    package func session(
        _ id: AuthorizationSessionID, browser: BrowserCookies
    ) async throws(ServerError) -> OpenSignIn? {
        try await sessions.session(id, browser: browser)
    }

    package func begin(
        _ channel: SignInChannel, in session: OpenSignIn, client: ClientContext
    ) async throws(ServerError) -> BegunConfirmation {
        try await begins.begin(channel, in: session, client: client)
    }

    package func state(
        of session: OpenSignIn, unlike known: ConfirmationState?, atMost wait: Duration
    ) async throws(ServerError) -> ConfirmationState {
        try await sessions.state(of: session, unlike: known, atMost: wait)
    }

    package func finish(
        _ session: OpenSignIn, client: ClientContext
    ) async throws(ServerError) -> AuthorizationAnswer {
        try await sessions.finish(session, client: client)
    }

    package func cancel(
        _ session: OpenSignIn, client: ClientContext
    ) async throws(ServerError) -> AuthorizationAnswer {
        try await sessions.cancel(session, client: client)
    }
}

extension OpenIDProvider: GrantIssuer {
    package func issue(
        to client: RegisteredClient, for confirmation: Confirmation, scopes: Set<ScopeName>, requestID: String?
    ) async throws(ServerError) -> GrantedTokens {
        try await grants.issue(to: client, for: confirmation, scopes: scopes, requestID: requestID)
    }
}
