import CommandSupport
import FoundationEssentials
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
    /// Nil without a provider.
    let clients: ConfiguredClients?
    let passkeyModels: PasskeyModels

    private init(_ installation: ServerInstallation) throws {
        let parts = try OpenIDFactory(installation)
        var sites = ConfiguredServices()
        sites.receipts = parts.settings.receipts.isEnabled ? parts.server.receipts : nil
        sites.longestWait = parts.server.settings.outOfBand.statusWait
        if parts.settings.hasRelyingPartyAPI { sites.relyingParty = parts.relyingParty() }
        var pages = try parts.pages()
        sites.front = pages
        var makers: [any OutgoingRequestMaker] = []
        var subscribers: [any AuditSubscriber] = []
        if !parts.settings.webhooks.isEmpty {
            makers.append(WebhookMaker(parts.settings.webhooks))
            subscribers.append(WebhookSubscriber(parts.settings.webhooks, transactions: parts.transactions))
        }
        if let exporter = try installation.syslogExporter { subscribers.append(exporter) }
        if let openID = parts.openID {
            sites.openID = openID
            pages.passkeys = openID.passkeys
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
        passkeyModels = parts.passkeyModels
        clients = sites.openID.map { _ in parts.configuredClients }
        work = OpenIDCompositionWork(
            follower: AuditFollower(subscribers, of: parts.server, transactions: parts.transactions),
            worker: DeliveryWorker(
                parts.settings.outgoing, makers: makers, sender: parts.sender, ports: parts.deliveryPorts))
    }

    /// Builds the services, and gives new audit subscribers their starting positions, before the server answers a
    /// client.
    static func begun(_ installation: ServerInstallation) async throws -> OpenIDComposition {
        let sites = try OpenIDComposition(installation)
        try await sites.clients?.takeUp(installation.deployment)
        sites.passkeyModels.replace(
            with: try await installation.deployment.passkeyMetadata(from: PosixFiles(), at: Date()))
        try await sites.work.follower.begin()
        return sites
    }
}

extension ServerInstallation {
    /// Exporter of the audit; nil where no syslog server is configured.
    fileprivate var syslogExporter: SyslogExporter? {
        get throws(CommandFailure) {
            guard let settings = deployment.syslog else { return nil }
            let host = URL(string: deployment.origin)?.host() ?? "-"
            do throws(OutgoingRequestsError) {
                return try SyslogExporter(settings, host: host, logger: services.ports.logger) {
                    $0.exportLine(opened: nil)
                }
            } catch {
                switch error {
                case .unusableAuthority(let file):
                    throw .local("certificateUnusable", "audit.syslog: \(file) cannot be used")
                }
            }
        }
    }
}

/// Clients of the configuration in a running server.
struct ConfiguredClients {
    let registry: StoredClientRegistry
    let administration: ClientAdministration

    /// Takes up the clients of a deployment; throws ``ServerError/storageUnavailable``.
    func takeUp(_ deployment: Deployment) async throws(ServerError) {
        try await administration.takeUp(deployment.webSites.openID?.clients ?? [], in: registry)
    }
}

extension DeploymentWatch.Parts {
    init(
        _ installation: ServerInstallation, _ certificates: ServedCertificates, _ door: ManagementDoor,
        _ sites: OpenIDComposition, _ pushes: DispatchRecord
    ) {
        self.init(
            services: installation.services, certificates: certificates, door: door, clients: sites.clients,
            passkeyModels: sites.passkeyModels, pushes: pushes)
        people.replace(with: installation.deployment.http.administration?.people ?? [:])
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
