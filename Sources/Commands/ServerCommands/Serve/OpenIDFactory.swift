import CommandSupport
import OpenID
import OutgoingRequests
import ServerCore
import SignInPages
import UAFService

/// Parts that the services for web sites share, and how each service is made of them.
struct OpenIDFactory {
    let server: ServerServices
    let transactions: any OpenIDTransactionRunner
    let settings: OpenIDSettings
    let clients: StoredClientRegistry
    let sender: any OutgoingSender
    private let issuer: String
    private let sites: OpenIDServer

    /// Throws ``CommandFailure`` for files of `outgoing.authority-files` that cannot be used.
    init(_ installation: ServerInstallation) throws(CommandFailure) {
        server = installation.services
        sites = installation.sites
        settings = sites.settings
        transactions = sites.transactions
        issuer = installation.deployment.origin
        clients = StoredClientRegistry(
            configured: settings.openID?.clients ?? [],
            builtIn: Self.builtInClients(
                settings, issuer: issuer, console: installation.deployment.consoleOrigin),
            reserved: [server.settings.tokens.audience], transactions: transactions, clock: server.ports.clock)
        do throws(OutgoingRequestsError) {
            sender = try GuardedClient(settings.outgoing.rules)
        } catch {
            switch error {
            case .unusableAuthority(let file):
                throw .local("certificateUnusable", "outgoing.authority-files: \(file) cannot be used")
            }
        }
    }

    /// Clients under which the page of the devices and the console sign people in, where there are such; their codes are never
    /// exchanged.
    private static func builtInClients(
        _ settings: OpenIDSettings, issuer: String, console: String?
    ) -> [RegisteredClient] {
        let devices = settings.pages.hasMyDevices ? "\(issuer)/my-devices" : nil
        return [(SignInPages.devicesClient, devices), (ConsolePages.client, console.map { $0 + ConsolePages.path })]
            .compactMap { name, page in
                guard let id = ClientID(name), let redirect = page.flatMap(RedirectAddress.init) else { return nil }
                var client = RegisteredClient(id: id, name: settings.pages.serviceName, authentication: .none)
                client.redirects = [redirect]
                return client
            }
    }

    /// The clients of the configuration, which the running server takes up.
    var configuredClients: ConfiguredClients {
        ConfiguredClients(registry: clients, administration: ClientAdministration(sites))
    }

    var passkeyModels: PasskeyModels { sites.passkeyModels }

    var deliveryPorts: DeliveryPorts {
        DeliveryPorts(
            transactions: transactions, clock: server.ports.clock, wall: server.ports.wall, random: server.ports.random,
            leadership: server.ports.processes.leadership, logger: server.ports.logger)
    }

    /// Services of the provider; nil where none is configured.
    var openID: OpenIDServices? {
        OpenIDServices(
            sites, at: issuer, clients: clients, confirmations: Confirmations(server, transactions: transactions),
            receipts: server.receipts, fetcher: sender)
    }

    func relyingParty() -> RelyingPartyGateway {
        RelyingPartyGateway(sites, seal: OpenIDSeal(keys: server.keys, random: server.ports.random))
    }

    func pages() throws -> SignInPages {
        try SignInPages(sites, issuer: issuer)
    }

    func pageSubscribers() -> [any AuditSubscriber] {
        var subscribers: [any AuditSubscriber] = [HistorySubscriber(transactions: transactions, clients: clients)]
        let announcement = DeviceAnnouncement(
            settings: settings, targets: server.storage.targets, dispatchers: server.ports.dispatchers)
        if let announcement { subscribers.append(announcement) }
        return subscribers
    }
}
