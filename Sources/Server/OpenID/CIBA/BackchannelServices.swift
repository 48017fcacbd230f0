import ServerCore
import UAFService

/// Services of CIBA, on the keys, clients and tokens of the provider.
package struct BackchannelServices: Sendable {
    package let authentication: BackchannelAuthentication
    package let keycloak: KeycloakChannel
    package let messages: BackchannelMessages
    let grant: BackchannelGrant

    init(
        _ server: OpenIDServer, _ settings: OpenIDSettings.Provider, keys: ProviderKeys, clients: any ClientRegistry,
        _ confirmations: any ConfirmationService, _ grants: any GrantIssuer
    ) {
        let (transactions, users, ports) = (server.transactions, server.services.storage.users, server.services.ports)
        let seal = OpenIDSeal(keys: server.services.keys, random: ports.random)
        authentication = BackchannelAuthentication(
            lifetime: settings.backchannelLifetime, hasDigits: settings.hasBackchannelDigits,
            users: BackchannelUsers(users: users, keys: keys, clock: ports.clock, wall: ports.wall),
            confirmations: confirmations, seal: seal, clock: ports.clock,
            random: ports.random)
        keycloak = KeycloakChannel(clients: clients, users: users, backchannel: authentication)
        messages = BackchannelMessages(
            clients: clients, grants: grants, confirmations: confirmations, transactions: transactions, seal: seal,
            clock: ports.clock)
        grant = BackchannelGrant(
            polling: BackchannelPolling(
                grants: grants, confirmations: confirmations, transactions: transactions, clock: ports.clock))
    }
}
