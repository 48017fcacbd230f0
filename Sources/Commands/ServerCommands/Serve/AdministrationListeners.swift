import CommandSupport
import Hummingbird
import Logging
import OpenID
import ServerAdministration
import ServerConfiguration
import ServerCore
import ServerHTTP
import ServerProcesses
import SignInPages

/// Listeners of the administration API: a Unix socket beside the database, always, and one with access keys where it is
/// configured.
struct AdministrationListeners {
    private let service: AdministrationService
    private let console: ServedConsole?
    private let settings: HTTPSettings
    /// Nil where no socket can be made, which was logged.
    private let socket: AdministrationSocket?
    private let logger: Logger

    init(
        _ installation: ServerInstallation, people: AdministrationPeople, sites: ConfiguredServices,
        findings: FindingBoard, logger: Logger
    ) async throws {
        service = try AdministrationService(of: installation.sites, people: people) { await findings.findings() }
        console = sites.console(of: service, at: installation.deployment.consoleOrigin)
        settings = installation.deployment.http
        self.logger = logger
        await people.warnOfStrangers(among: installation.services, logger)
        do throws(ServerProcessesError) {
            socket = try AdministrationSocket(besides: installation.deployment.leaseFile, random: SystemRandomSource())
        } catch {
            socket = nil
            logger.warning("no socket for administration", metadata: ["error": "\(error)"])
        }
    }

    /// Number of listeners that say when they are open.
    var count: Int { (socket == nil ? 0 : 1) + (settings.administration == nil ? 0 : 1) }

    func applications(
        _ routing: HTTPRouting, certificates: ServedCertificates, started: @escaping HTTPListener.Started
    ) throws -> [OpenListener<Application<ServiceResponder>>] {
        var listeners: [OpenListener<Application<ServiceResponder>>] = []
        let limits = settings.limits.ofAdministration
        if let socket {
            let listener = HTTPListener(unixSocket: socket.address, limits: limits, logger: logger)
            let application = try listener.application(
                responder: routing.administrationResponder(service, door: .account(.ofProcess())), identity: nil,
                started: started)
            listeners.append(OpenListener(address: nil, application: application))
        }
        if let address = settings.administration?.address {
            let listener = HTTPListener(address: address, limits: limits, logger: logger)
            let application = try listener.application(
                responder: routing.administrationResponder(service, door: .accessKeys, console: console),
                identity: certificates.administration, started: started)
            listeners.append(OpenListener(address: address, application: application))
        }
        return listeners
    }

    func leave() { socket?.remove() }
}

extension ConfiguredServices {
    /// Console of a provider with pages; nil without an origin for it.
    fileprivate func console(of service: AdministrationService, at origin: String?) -> ServedConsole? {
        guard let origin, let pages = front as? SignInPages, let openID else { return nil }
        return ServedConsole(ConsolePages(pages, of: service, at: origin), logout: openID.logout)
    }
}
