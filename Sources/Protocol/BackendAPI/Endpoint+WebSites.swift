/// Services for web sites; their bodies: `docs/web/openapi.yaml`. All have one path, without a root.
extension Endpoint {
    private static let noRoot = [""]

    // MARK: OpenID Provider

    /// Discovery (OpenID Connect Discovery 1.0, 4).
    public static let openIDConfiguration = Endpoint(
        .get, "/.well-known/openid-configuration", roots: noRoot, answers: [.json])
    /// Keys of ID and logout tokens.
    public static let openIDKeySet = Endpoint(.get, "/oauth2/jwks", roots: noRoot, answers: [.json, .keySet])
    /// Authorization endpoint, by query; answers 303 or a page.
    public static let authorize = Endpoint(.get, "/oauth2/authorize", roots: noRoot, answers: [.html])
    /// Authorization endpoint, by form.
    public static let authorizeByForm = Endpoint(
        .post, "/oauth2/authorize", roots: noRoot, takes: [.form], answers: [.html])
    /// Pushed authorization requests (RFC 9126).
    public static let pushAuthorization = Endpoint(
        .post, "/oauth2/par", roots: noRoot, takes: [.form], answers: [.json])
    /// Token endpoint.
    public static let clientToken = Endpoint(.post, "/oauth2/token", roots: noRoot, takes: [.form], answers: [.json])
    /// Claims of the bearer of an access token.
    public static let userInformation = Endpoint(.get, "/oauth2/userinfo", roots: noRoot, answers: [.json])
    /// The same by POST, without a body.
    public static let userInformationByPost = Endpoint(.post, "/oauth2/userinfo", roots: noRoot, answers: [.json])
    /// Introspection (RFC 7662).
    public static let introspectToken = Endpoint(
        .post, "/oauth2/introspect", roots: noRoot, takes: [.form], answers: [.json])
    /// Revocation (RFC 7009).
    public static let revokeToken = Endpoint(.post, "/oauth2/revoke", roots: noRoot, takes: [.form], answers: [.json])
    /// Logout (OpenID Connect RP-Initiated Logout 1.0).
    public static let providerLogout = Endpoint(.get, "/oauth2/logout", roots: noRoot, answers: [.html])
    /// The same by form.
    public static let providerLogoutByForm = Endpoint(
        .post, "/oauth2/logout", roots: noRoot, takes: [.form], answers: [.html])
    /// Binding of a browser's session to a key, and renewal of the cookie that the key gets (Device Bound Session Credentials).
    public static let deviceSession = Endpoint(.post, "/device-session", roots: noRoot, answers: [.json])
    /// Begin of CIBA (CIBA Core 1.0, 7).
    public static let backchannelAuthorize = Endpoint(
        .post, "/oauth2/bc-authorize", roots: noRoot, takes: [.form], answers: [.json])
    /// Begin of a request of Keycloak's CIBA channel.
    public static let decoupledAuthentication = Endpoint(
        .post, "/ciba/keycloak", roots: noRoot, takes: [.json], answers: [.json])

    // MARK: Receipts and documents

    /// Public keys of all receipts, for ever.
    public static let receiptKeySet = Endpoint(
        .get, "/.well-known/signet-receipt-keys.json", roots: noRoot, answers: [.json, .keySet])
    /// The OpenAPI document.
    public static let openAPIDocument = Endpoint(.get, "/openapi.yaml", roots: noRoot, answers: [.yaml])

    // MARK: Relying-party API

    /// Whether the server serves the holder of an access key: `PONG`.
    public static let ping = Endpoint(.get, "/ping", roots: noRoot, answers: [.plainText])
    /// Gives a token for one operation of one user.
    public static let intent = Endpoint(.post, "/api/v1/intent", roots: noRoot, takes: [.json], answers: [.json])
    /// Begins the registration of a phone.
    public static let enrollUser = Endpoint(
        .post, "/api/v1/users/enroll", roots: noRoot, takes: [.json], answers: [.json])
    /// Begins a way back without a phone, for which the caller vouches.
    public static let recoverUser = Endpoint(
        .post, "/api/v1/users/recover", roots: noRoot, takes: [.json], answers: [.json])
    /// Has something confirmed.
    public static let approval = Endpoint(.post, "/api/v1/approval", roots: noRoot, takes: [.json], answers: [.json])
    /// State of a transaction.
    public static let transactionStatus = Endpoint(
        .post, "/api/v1/status", roots: noRoot, takes: [.json], answers: [.json])
    /// State of a token.
    public static let introspectTransaction = Endpoint(
        .post, "/api/v1/introspect", roots: noRoot, takes: [.form], answers: [.json])
    /// The user of the query's `username`.
    public static let findUser = Endpoint(.get, "/api/v1/users", roots: noRoot, answers: [.json])
    /// The user of an ID.
    public static let user = Endpoint(.get, "/api/v1/users/{userId}", roots: noRoot, answers: [.json])
    /// Changes attributes of a user; 204.
    public static let changeUser = Endpoint(
        .patch, "/api/v1/users/{userId}", roots: noRoot, takes: [.json], answers: [.json])
    /// Removes a user; 204.
    public static let removeUser = Endpoint(.delete, "/api/v1/users/{userId}", roots: noRoot, answers: [.json])
    /// Renames an authenticator.
    public static let renameAuthenticator = Endpoint(
        .patch, "/api/v1/authenticators/{authenticatorId}", roots: noRoot, takes: [.json], answers: [.json])
    /// Removes an authenticator; 204.
    public static let removeAuthenticator = Endpoint(
        .delete, "/api/v1/authenticators/{authenticatorId}", roots: noRoot, answers: [.json])

    // MARK: Pages

    /// Page at the address of the service itself, with links to others.
    public static let frontPage = Endpoint(.get, "/", roots: noRoot, answers: [.html])
    /// Sign-in, consent or payment page of a session; query `view` is `push` for the form with the user name.
    public static let signInPage = Endpoint(.get, "/sign-in/{session}", roots: noRoot, answers: [.html])
    /// Its form: field `action` is `code`, `renew`, `push`, `finish`, `cancel` or `passkey`, and answers 303, or
    /// `passkey-options`, and answers JSON.
    public static let signInAction = Endpoint(
        .post, "/sign-in/{session}", roots: noRoot, takes: [.form], answers: [.html, .json])
    /// State of the ceremony for its script; query `known` and `wait`.
    public static let signInStatus = Endpoint(.get, "/sign-in-status/{session}", roots: noRoot, answers: [.json])
    /// QR code of the ceremony; query `round`.
    public static let signInCode = Endpoint(.get, "/sign-in-code/{session}", roots: noRoot, answers: [.png])
    /// Page of the user's devices.
    public static let devicesPage = Endpoint(.get, "/my-devices", roots: noRoot, answers: [.html])
    /// Its form: field `action` is `rename`, `remove`, `codes`, `end-recovery`, `data`, `data-file`, or one about passkeys
    /// (`passkey-options`, `add-passkey`, `rename-passkey`, `remove-passkey`); answers 303 without a fresh confirmation.
    public static let devicesAction = Endpoint(
        .post, "/my-devices", roots: noRoot, takes: [.form], answers: [.html, .json])
    /// Page of a way back without a phone.
    public static let recoverPage = Endpoint(.get, "/recover", roots: noRoot, answers: [.html])
    /// Its form: field `action` is `begin`, `remove` or `invite`; answers 303 when a wait begins.
    public static let recoverAction = Endpoint(.post, "/recover", roots: noRoot, takes: [.form], answers: [.html])
    /// Style of the pages.
    public static let pageStyle = Endpoint(.get, "/assets/signet.css", roots: noRoot, answers: [.css])
    /// Logo of the pages, where the operator has chosen one: a PNG, or an SVG.
    public static let pageLogo = Endpoint(.get, "/assets/logo", roots: noRoot, answers: [.png, .svg])
    /// Script of the pages.
    public static let pageScript = Endpoint(.get, "/assets/sign-in.js", roots: noRoot, answers: [.javaScript])
    /// Element `<signet-sign-in>` for pages of clients.
    public static let webScript = Endpoint(.get, "/signet-web.js", roots: noRoot, answers: [.javaScript])

    /// Every service for web sites, for tests that all are served.
    public static let webSiteServices = [
        openIDConfiguration, openIDKeySet, authorize, authorizeByForm, pushAuthorization, clientToken,
        userInformation, userInformationByPost, introspectToken, revokeToken, providerLogout,
        providerLogoutByForm, deviceSession, backchannelAuthorize, decoupledAuthentication, receiptKeySet,
        openAPIDocument, ping, intent, enrollUser, recoverUser, approval, transactionStatus, introspectTransaction,
        findUser, user, changeUser, removeUser,
        renameAuthenticator, removeAuthenticator, frontPage, signInPage, signInAction, signInStatus, signInCode,
        devicesPage, devicesAction, recoverPage, recoverAction, pageStyle, pageLogo, pageScript, webScript,
    ]
}
