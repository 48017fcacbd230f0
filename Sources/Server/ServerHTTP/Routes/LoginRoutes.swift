import BackendAPI
import HTTPTypes
import Hummingbird
import Octets
import ServerCore
import UAF
import UAFService

/// The logins of the identity suite's layout and the keys that verify what they give out.
struct LoginRoutes {
    let shared: RouteServices

    func add(to routes: RouteBuilder) {
        let shared = shared
        routes.add(.fidoLogin) { exchange in
            let login = try FIDOLogin(body: exchange.body)
            let issued = try await Self.issue(login, exchange, shared)
            return exchange.answer(request: issued.message, headers: shared.headers(binding: issued.cookie))
        }
        for endpoint in [Endpoint.fidoLoginResponse, .formerFIDOLoginResponse] {
            routes.add(endpoint) { exchange in
                try await UAFRoutes.acceptAuthentication(exchange, shared)
            }
        }
        routes.add(.logout) { exchange in
            try await Self.logOut(exchange, shared)
        }
        routes.add(.keySet) { exchange in
            // A new key is published a minute before it signs; half of that may pass in caches.
            exchange.answer(
                bytes: shared.services.keySetDocument, headers: [.cacheControl: "public, max-age=30"])
        }
        if let passwords = shared.services.passwordLogin {
            routes.add(.passwordLogin) { exchange in
                try await Self.logIn(exchange, passwords, shared)
            }
        }
    }

    private static func issue(
        _ login: FIDOLogin, _ exchange: Exchange, _ shared: RouteServices
    ) async throws -> IssuedRequest {
        let request: GetUAFRequest
        switch login {
        case .user(let name): request = GetUAFRequest(AuthenticationContext(username: name))
        case .request(let whole): request = whole
        }
        return try await shared.services.authenticationRequests.issueRequest(
            request, entry: .login, authorization: .absent, client: shared.client(of: exchange))
    }

    /// Ends the session of the cookie, whether there is one or not.
    ///
    /// A token cannot be ended alone, and must not end what others have begun: it is refused here, and expires.
    private static func logOut(_ exchange: Exchange, _ shared: RouteServices) async throws -> Response {
        try shared.authenticator.origins.requireOwn(exchange.request)
        let credentials = shared.authenticator.credentials(of: exchange)
        guard credentials.bearerToken == nil else { throw RequestRefusal.tokenLogout }
        if let cookie = credentials.sessionCookie?.reveal() {
            try await shared.services.sessions.end(cookie: cookie, client: shared.client(of: exchange))
        }
        return Response(status: .noContent, headers: shared.headersClearingSession)
    }

    /// The form is the one body that a page of another site could send without asking first.
    private static func logIn(
        _ exchange: Exchange, _ passwords: PasswordLoginService, _ shared: RouteServices
    ) async throws -> Response {
        try shared.authenticator.origins.requireOwn(exchange.request)
        let form = try PasswordLogin(form: exchange.body)
        let password = form.password.withUnsafeBytes { String(validating: $0, as: UTF8.self) }
        guard let password else { throw RequestRefusal.unauthorized }
        var client = shared.client(of: exchange)
        client.knownBrowser = shared.authenticator.cookie(
            shared.services.settings.sessions.knownCookieName, of: exchange)
        let login = try await passwords.logIn(name: form.userID.text, password: password, client: client)
        let answer = PasswordLoginAnswer(
            status: PasswordLoginAnswer.succeeded, externalID: login.externalID.text)
        var headers = shared.headers(setting: login.cookie)
        if let known = login.known {
            headers.append(
                HTTPField(name: .setCookie, value: shared.known(known.value.reveal(), until: known.expiresAt)))
        }
        return exchange.answer(answer, headers: headers)
    }
}
