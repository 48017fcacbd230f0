package import OpenID
package import ServerCore
package import SignInPages

/// Services behind the routes for web sites; a service that is nil is not configured, and its paths do not exist (404).
///
/// `OpenIDRoutes`, `BackchannelRoutes`, `RelyingPartyRoutes`, `PageRoutes` and `DocumentRoutes` take it beside the services that
/// all routes share.
package struct ConfiguredServices: Sendable {
    package var openID: OpenIDServices?
    package var signIns: (any SignInService)?
    package var starter: (any SignInStarting)?
    package var backchannel: (any BackchannelService)?
    package var keycloak: KeycloakChannel?
    package var relyingParty: (any RelyingPartyService)?
    package var pages: (any PageService)?
    /// Page at the address of the service, which needs no sign-ins.
    package var front: (any PageService)?
    package var receipts: (any ReceiptIssuer)?
    /// Clients, for the origins of pages that include `signet-web.js`.
    package var clients: (any ClientRegistry)?
    /// Longest time that a question for the state waits.
    package var longestWait: Duration = .seconds(25)

    package init() {}
}
