package import ServerCore
import UAFService

/// Services of the OpenID Provider (OpenID Connect Core 1.0; CIBA Core 1.0; RFC 6749, 7009, 7636, 7662, 9126, 9207, 9700).
///
/// Bodies are taken as they came and read strictly: a form of at most 64 KiB whose fields stand once each.
package struct OpenIDServices: Sendable {
    /// Document of discovery (OpenID Connect Discovery 1.0, 4.2), JSON; the same for the life of the process.
    package let discoveryDocument: [UInt8]
    package let keys: ProviderKeys
    package let authentication: ClientAuthentication
    package let pushed: PushedRequests
    package let authorization: AuthorizationEndpoint
    package let signIns: SignInPageSessions
    package let starter: SignInStarter
    /// Nil where there are no passkeys (`openid.passkeys`).
    package let passkeys: (any PasskeyService)?
    package let tokens: TokenEndpoint
    package let bearers: TokenIntrospection
    package let logout: ProviderLogout
    package let logoutMessages: LogoutMessages
    package let backchannel: BackchannelServices
    package let issuer: TokenIssuer

    /// Puts the services together for the provider at `address`; nil where none is configured.
    ///
    /// `fetcher` reads the key sets of clients.
    package init?(
        _ server: OpenIDServer, at address: String, clients: any ClientRegistry,
        confirmations: any ConfirmationService, receipts: any ReceiptIssuer, fetcher: any OutgoingSender
    ) {
        guard let settings = server.settings.openID else { return nil }
        let (transactions, users, ports) = (server.transactions, server.services.storage.users, server.services.ports)
        let (clock, wall, random, wait) = (ports.clock, ports.wall, ports.random, settings.removalWait)
        discoveryDocument = Discovery(issuer: address, hasPasskeys: settings.passkeys != nil).document
        keys = ProviderKeys(service: server.services.keys, issuer: address)
        let assertions = ClientAssertions(
            issuer: address, clients: clients, keys: ClientKeys(fetcher: fetcher, clock: clock),
            transactions: transactions, clock: clock, wall: wall)
        authentication = ClientAuthentication(clients: clients, assertions: assertions)
        pushed = PushedRequests(
            settings: settings, keys: keys, transactions: transactions, clock: clock, wall: wall, random: random,
            bound: OpenRequestBound(.pushed, settings, transactions: transactions, clock: clock))
        let codes = AuthorizationCodeIssuer(settings: settings, issuer: address, clock: clock, random: random)
        let browsers = BrowserSessions(
            settings: settings, transactions: transactions, clock: clock, wall: wall, random: random)
        authorization = AuthorizationEndpoint(
            clients: clients, keys: keys, transactions: transactions, pushed: pushed, codes: codes, sessions: browsers,
            pages: SignInPageOpener(
                settings: settings, transactions: transactions, clock: clock, random: random,
                bound: OpenRequestBound(.page, settings, transactions: transactions, clock: clock)))
        logout = ProviderLogout(
            clients: clients, keys: keys, transactions: transactions, clock: clock, sessions: browsers)
        signIns = SignInPageSessions(
            settings: settings, clients: clients, confirmations: confirmations, transactions: transactions,
            clock: clock, codes: codes, browsers: browsers, logout: logout)
        passkeys = PasskeyProvider(server, at: address, sessions: signIns)
        starter = SignInStarter(
            settings: settings, digitCount: server.services.settings.outOfBand.linking.digitCount, users: users,
            confirmations: confirmations, transactions: transactions, clock: clock, random: random, sessions: signIns)
        issuer = TokenIssuer(
            settings: settings, keys: keys, receipts: receipts, transactions: transactions, clock: clock, wall: wall,
            random: random)
        let exchange = TokenExchange(receipts: receipts, issue: issuer, transactions: transactions, clock: clock)
        backchannel = BackchannelServices(server, settings, keys: keys, clients: clients, confirmations, issuer)
        tokens = TokenEndpoint(
            keys: keys, wall: wall,
            grants: [CodeGrant(exchange: exchange), RefreshTokenGrant(exchange: exchange), backchannel.grant])
        bearers = TokenIntrospection(
            issuer: address, clients: clients, transactions: transactions, clock: clock, wall: wall, removalWait: wait)
        logoutMessages = LogoutMessages(clients: clients, keys: keys, wall: wall)
    }

    /// Keys of browsers for their sessions; nil where sessions are not bound (`openid.device-bound-sessions`).
    package func deviceSessions(log: ServiceLog) -> DeviceBoundSessions? {
        signIns.settings.bindsSessions ? DeviceBoundSessions(sessions: signIns.browsers, log: log) : nil
    }
}
