import CommandSupport
import FoundationEssentials
import Hummingbird
import LoadControl
import Logging
import ServerCommandSupport
import ServerConfiguration
import ServerCore
import ServerHTTP
import ServiceLifecycle
import UAFService
import UnixSignals

struct ServerProcess {
    let installation: ServerInstallation
    let sites: OpenIDComposition
    let watch: DeploymentWatch
    let certificates: ServedCertificates
    let management: ManagementListener
    let administration: AdministrationListeners
    let metrics: MetricsRegistry
    let logger: Logger
    let start: ServerStart
    let lease: InstanceLease
    let migrations: DeferredMigrations
    let findings: FindingBoard

    /// Serves until a signal ends it: readiness is withdrawn first, then requests in flight are given time to finish.
    func run() async throws {
        let http = installation.deployment.http
        let services = installation.services
        certificates.report(to: metrics)
        ProcessFigures.report(to: metrics)
        findings.report(to: metrics)
        let health = ServerHealth(of: findings.subjects) { await findings.findings() }
        let announcement = ReadyAnnouncement(
            origin: installation.deployment.origin, authorityFile: authorityFile, start: start,
            pendingCount: administration.count, health: health, logger: logger)
        let reloading = ReloadService(
            watch: watch, interval: installation.deployment.reloadInterval,
            hangups: await UnixSignalsSequence(trapping: .sighup))
        let applications = try self.applications(health: health, announcement: announcement)
        var configuration = ServiceGroupConfiguration(
            services: [
                .init(service: SecondSignal()), .init(service: Maintenance(services: services)),
                .init(service: sites.work), .init(service: reloading), .init(service: migrations),
                .init(service: MarkUpkeep(marks: installation.marks, logger: logger)),
                .init(service: TicketRotation(identity: certificates.identity, keys: services.keys, logger: logger)),
                .init(service: FindingUpkeep(board: findings, health: health)),
                .init(service: CertificateUpkeep(certificates: certificates, logger: logger)),
                .init(
                    service: InstanceLeaseWatch(lease: lease, logger: logger),
                    successTerminationBehavior: .gracefullyShutdownGroup),
                .init(service: OpenListener(address: http.management.address, application: applications.management)),
                .init(service: OpenListener(address: http.service, application: applications.service)),
            ] + applications.administration.map { .init(service: $0) } + [
                .init(
                    service: Readiness(
                        health: health, load: installation.load, waits: services.statusNotifier,
                        drainTime: http.limits.drainTime))
            ],
            gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        configuration.maximumGracefulShutdownDuration = http.limits.drainTime + http.limits.stopTime
        do {
            try await ServiceGroup(configuration: configuration).run()
        } catch is SecondSignal.Impatience {
            logger.notice("stopped at once")
        }
        logger.notice("stopped")
    }

    private typealias Listener = Application<ServiceResponder>

    private func applications(
        health: ServerHealth, announcement: ReadyAnnouncement
    ) throws -> (service: Listener, management: Listener, administration: [OpenListener<Listener>]) {
        let http = installation.deployment.http
        let clock = installation.clock
        let routing = HTTPRouting(
            limits: http.limits, proxies: http.proxies, metrics: metrics,
            load: installation.load, now: { clock.wall.now().milliseconds })
        let service = try HTTPListener(
            address: http.service, limits: http.limits, proxies: http.proxies, load: installation.load, logger: logger
        ).application(
            responder: routing.serviceResponder(
                services: installation.services, sites: sites.services, clock: clock,
                publicOrigin: http.publicOrigin),
            identity: certificates.identity, started: { port in await announcement.opened(service: port) })
        let (place, logger) = (management.place, logger)
        let management = try place.listener(http.limits, logger: logger).application(
            responder: routing.managementResponder(health: health, door: management.door),
            identity: certificates.management,
            started: { port in
                do throws(PosixFiles.Failure) {
                    await announcement.opened(management: try place.published(port: port))
                } catch {
                    logger.error(
                        "health and metrics cannot be reached: no socket is at its path",
                        metadata: ["error": "\(error)"])
                }
            })
        let administration = try administration.applications(routing, certificates: certificates) { port in
            await announcement.opened(administration: port)
        }
        return (service, management, administration)
    }

    // MARK: - Certificate

    /// File of the certificate authority that clients on this machine have to trust; nil when an operator's certificate
    /// is used.
    private var authorityFile: String? {
        installation.deployment.http.security == .ownCertificate
            ? CertificateFolder(installation.deployment).authorityFile : nil
    }
}

/// Listener of the running server, whose error contains the address when it cannot be opened.
struct OpenListener<Listener: ApplicationProtocol>: Service {
    /// Address for errors; nil for a Unix socket.
    let address: ListenerAddress?
    let application: Listener

    func run() async throws {
        do {
            try await HTTPListener.run(application)
        } catch {
            throw address.flatMap { ServerHTTPError(opening: $0, error) } ?? error
        }
    }
}

/// Service that keeps the findings fresh.
struct FindingUpkeep: Service {
    let board: FindingBoard
    let health: ServerHealth

    func run() async throws {
        await cancelWhenGracefulShutdown { await board.run(when: health) }
    }
}

/// Service for key rotation and cleanup beside the listeners, until everything else has stopped.
struct Maintenance: Service {
    let services: ServerServices

    func run() async throws {
        await cancelWhenGracefulShutdown { await services.run() }
    }
}

/// Service that withdraws the server's readiness before the server stops.
///
/// It is the last one of the service group, so that it is the first to be stopped; the listeners close when it has
/// ended. Meanwhile each answer ends its connection, so that clients go where the load balancer sends them. Requests that
/// wait get their answers a little before the end, when new connections go elsewhere.
struct Readiness: Service {
    /// Time in which those who have waited get their answers, and connect to another server.
    private static let farewellTime: Duration = .seconds(1)

    let health: ServerHealth
    let load: LoadController
    let waits: StatusNotifier
    /// Time between the withdrawal and the closing of the listeners, in which a load balancer turns to other servers.
    let drainTime: Duration

    func run() async throws {
        try? await gracefulShutdown()
        health.setReady(false)
        load.drain()
        let farewellTime = min(Self.farewellTime, drainTime / 2)
        try? await Task.sleep(for: drainTime - farewellTime)
        waits.finish()
        try? await Task.sleep(for: farewellTime)
    }
}
