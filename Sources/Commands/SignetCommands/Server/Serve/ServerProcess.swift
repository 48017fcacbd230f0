import FoundationEssentials
import Hummingbird
import Logging
import ServerConfiguration
import ServerCore
import ServerHTTP
import ServiceLifecycle
import UnixSignals

/// The running server: two listeners and the work beside them, until it is told to stop.
struct ServerProcess {
    let installation: ServerInstallation
    let watch: DeploymentWatch
    let metrics: MetricsRegistry
    let logger: Logger
    let start: ServerStart
    let lease: InstanceLease
    let log: LogQueue

    /// Serves until a signal ends it: readiness goes first, then requests in flight get their time.
    func run() async throws {
        let http = installation.deployment.http
        let services = installation.services
        let health = ServerHealth(indicators: HealthIndicators(services: services, log: log).all)
        DescriptorLimit.raise(for: http.limits.connectionCount, logger: logger)
        let announcement = ReadyAnnouncement(
            origin: installation.deployment.origin, authorityFile: authorityFile, start: start, health: health,
            logger: logger)
        let reloading = Reloading(
            watch: watch, interval: installation.deployment.reloadInterval,
            hangups: await UnixSignalsSequence(trapping: .sighup))
        let applications = try self.applications(health: health, announcement: announcement)
        var configuration = ServiceGroupConfiguration(
            services: [
                .init(service: SecondSignal()), .init(service: Maintenance(services: services)),
                .init(service: reloading),
                .init(
                    service: InstanceLeaseWatch(lease: lease, logger: logger),
                    successTerminationBehavior: .gracefullyShutdownGroup),
                .init(service: OpenListener(address: http.management, application: applications.management)),
                .init(service: OpenListener(address: http.service, application: applications.service)),
                .init(service: Readiness(health: health, drainTime: http.limits.drainTime)),
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

    private typealias Listener = Application<RouterResponder<BackendRequestContext>>

    private func applications(
        health: ServerHealth, announcement: ReadyAnnouncement
    ) throws -> (service: Listener, management: Listener) {
        let http = installation.deployment.http
        let clock = installation.clock
        let routing = HTTPRouting(
            limits: http.limits, proxies: http.proxies, metrics: metrics, now: { clock.wall.now().milliseconds })
        let service = try HTTPListener(
            address: http.service, limits: http.limits, proxies: http.proxies, logger: logger
        ).application(
            router: routing.serviceRouter(
                services: installation.services, clock: clock, publicOrigin: http.publicOrigin),
            identity: try identity(), started: { port in await announcement.opened(.service, port: port) })
        let management = try HTTPListener(address: http.management, limits: http.limits, logger: logger)
            .application(
                router: routing.managementRouter(health: health), identity: nil,
                started: { port in await announcement.opened(.management, port: port) })
        return (service, management)
    }

    // MARK: - Certificate

    private var certificates: CertificateFolder {
        CertificateFolder(path: installation.deployment.dataDirectory + "/tls", files: PosixFiles())
    }

    /// File that clients on this machine need in order to trust the server; nil when an operator's certificate is used.
    private var authorityFile: String? {
        installation.deployment.http.security == .ownCertificate ? certificates.authorityFile : nil
    }

    private func identity() throws -> ServerIdentity? {
        switch installation.deployment.http.security {
        case .plain: return nil
        case .ownCertificate: return try certificates.identity(now: Date.now)
        case .certificate(let chainFile, let privateKeyFile):
            return try CertificateFiles(chainFile: chainFile, privateKeyFile: privateKeyFile).identity()
        }
    }
}

/// A listener of the running server; when it cannot be opened the error has the address.
struct OpenListener<Listener: Service>: Service {
    let address: ListenerAddress
    let application: Listener

    func run() async throws {
        do {
            try await application.run()
        } catch {
            throw ServerHTTPError(opening: address, error) ?? error
        }
    }
}

/// What the health of a server says of the things it stands on.
struct HealthIndicators {
    let services: ServerServices
    let log: LogQueue

    /// In the order of the answer.
    var all: [ServerHealth.Indicator] {
        let (services, log) = (services, log)
        return [
            .init(name: "database") { await Self.database(services) },
            .init(name: "keys") {
                guard services.maintenance.failure(of: "keys") == .wrongMasterKey else { return .up }
                return .down("the master key does not open the keys in the database")
            },
            .init(name: "clock") {
                guard let finding = services.maintenance.clockFinding else { return .up }
                return .warning(finding.text)
            },
            .init(name: "log") {
                log.isStuck ? .down("the reader of the log on standard error has stopped reading") : .up
            },
        ]
    }

    private static func database(_ services: ServerServices) async -> ServerHealth.Finding {
        if let trouble = services.maintenance.storageTrouble { return .down(trouble) }
        let answers = (try? await services.users.list(limit: 1)) != nil
        return answers ? .up : .down("the database does not answer")
    }
}

/// Keys and clearing up, beside the listeners, until everything else has stopped.
struct Maintenance: Service {
    let services: ServerServices

    func run() async throws {
        await cancelWhenGracefulShutdown { await services.run() }
    }
}

/// Says that the server is going, before it does.
///
/// It stands last in the service group, so that it is the first to be stopped; the listeners close when it has ended.
struct Readiness: Service {
    let health: ServerHealth
    /// Time between saying so and closing the listeners, in which a balancer finds other servers.
    let drainTime: Duration

    func run() async throws {
        try? await gracefulShutdown()
        health.setReady(false)
        try? await Task.sleep(for: drainTime)
    }
}
