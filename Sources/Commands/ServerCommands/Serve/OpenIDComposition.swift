import CommandSupport
import OpenID
import OutgoingRequests
import ServerConfiguration
import ServerCore
import ServerHTTP
import ServiceLifecycle
import SignInPages
import UAFService

/// Services for web sites of a server, as its configuration has them, with the work that they do beside requests.
struct OpenIDComposition {
    let services: ConfiguredServices
    let work: OpenIDCompositionWork

    private init(_ installation: ServerInstallation, dispatchers: [any Dispatcher]) throws {
        let parts = try OpenIDFactory(installation, dispatchers: dispatchers)
        var sites = ConfiguredServices()
        sites.receipts = parts.settings.receipts.isEnabled ? parts.server.receipts : nil
        sites.longestWait = parts.server.settings.outOfBand.statusWait
        if parts.settings.hasRelyingPartyAPI { sites.relyingParty = parts.relyingParty() }
        let pages = try parts.pages()
        sites.front = pages
        var makers: [any OutgoingRequestMaker] = []
        var subscribers: [any AuditSubscriber] = []
        if !parts.settings.webhooks.isEmpty {
            makers.append(WebhookMaker(parts.settings.webhooks))
            subscribers.append(WebhookSubscriber(parts.settings.webhooks, transactions: parts.transactions))
        }
        if let openID = parts.openID {
            sites.openID = openID
            sites.signIns = openID.signIns
            sites.starter = openID.starter
            sites.clients = parts.clients
            sites.backchannel = openID.backchannel.authentication
            sites.keycloak = openID.backchannel.keycloak
            sites.pages = pages
            makers += [openID.logoutMessages, openID.backchannel.messages]
            subscribers += [openID.backchannel.messages.subscriber] + parts.pageSubscribers()
        }
        services = sites
        work = OpenIDCompositionWork(
            follower: AuditFollower(subscribers, of: parts.server, transactions: parts.transactions),
            worker: DeliveryWorker(
                parts.settings.outgoing, makers: makers, sender: parts.sender, ports: parts.deliveryPorts))
    }

    /// Builds the services, and gives new audit subscribers their starting positions, before the server answers a
    /// client.
    static func begun(
        _ installation: ServerInstallation, dispatchers: [any Dispatcher]
    ) async throws -> OpenIDComposition {
        if installation.deployment.webSites.openID?.clients.contains(where: { $0.idTokenAlgorithm == .rs256 })
            == true
        {
            try await installation.services.keys.provide(.idTokenRSA)
        }
        let sites = try OpenIDComposition(installation, dispatchers: dispatchers)
        try await sites.work.follower.begin()
        return sites
    }
}

/// Work for web sites beside the listeners: handing out the audit, and sending messages.
struct OpenIDCompositionWork: Service {
    let follower: AuditFollower
    let worker: DeliveryWorker

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await follower.run() }
                group.addTask { await worker.run() }
            }
        }
    }
}
