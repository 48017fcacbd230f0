import ArgumentParser
import CommandSupport
import HTTPEngine
import LoadControl
import Logging
import Metrics
import ServerCommandSupport
import ServerConfiguration
import ServerCore
import ServerHTTP
import StrictJSON

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Run the server until it is told to stop.",
        discussion: """
            The first start makes the data directory, a master key, the database and, for a listener on this machine \
            only, a certificate with its own authority. The line "ready" in the log names the URL and the file of that \
            authority, which a client needs in order to trust the server.

            What may change while the server runs (facets, metadata, policies, access keys, trusted issuers, clients, \
            dispatchers, certificates) is read again when its files change, and on SIGHUP at once.

            Several servers may run on one database, each on different ports (--port, --management-port): they share \
            limits, keys and the audit, and one of them at a time does the work that has to be done once.

            In a terminal the log is for people; elsewhere, and with --format json or log.format, it is lines of JSON \
            on standard error. A first SIGTERM or Ctrl-C lets requests in flight finish, a second one ends the server at \
            once.
            """)

    @OptionGroup var options: ServerOptions

    @Option(
        name: .long,
        help: ArgumentHelp("Port of the service, instead of the configured one; 0 takes a free one.", valueName: "n"))
    var port: Int?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Port for health and metrics, instead of the configured one; not for a Unix socket (management.server.socket).",
            valueName: "n"))
    var managementPort: Int?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Write a JSON object with url, port, managementPort (or managementSocket) and caFile to this file once the "
                + "server is ready.",
            valueName: "file"))
    var readyFile: String?

    @Flag(
        name: .long,
        help: """
            Replace all servers with the same instance name that run on this machine on this database: ask them to stop, \
            and wait until they have.
            """)
    var takeOver = false

    func validate() throws {
        for port in [port, managementPort] {
            guard let port else { continue }
            guard (0...65_535).contains(port) else { throw ValidationError("A port is between 0 and 65535.") }
        }
    }

    func run() async throws {
        try await options.commandReport.run {
            try DescriptorLimit.require()
            let file = options.file
            let configured = try Self.deployment(of: file)
            var deployment = configured
            deployment.http.service.port = port ?? deployment.http.service.port
            let taken = [
                try deployment.http.service.takeFreePort(),
                try deployment.http.management.takeFreePort(instead: managementPort),
                try deployment.http.administration?.address.takeFreePort(),
            ]
            defer { withExtendedLifetime(taken) {} }
            try await serve(deployment, configured, file)
            return CommandReport.Outcome(text: "", result: [:])
        }
    }

    /// Reads a configuration; throws `profileNotMet` when it contradicts a standard that it names.
    static func deployment(of file: ConfigurationFile) throws -> Deployment {
        let deployment = try file.deployment()
        try ProfileReview.requireNone(in: deployment, deployment.metadata(from: PosixFiles()))
        return deployment
    }

    private func serve(_ wanted: Deployment, _ configured: Deployment, _ file: ConfigurationFile) async throws {
        let metrics = MetricsRegistry()
        MetricsSystem.bootstrap(metrics)
        let log = ServerLog.queue(metrics: metrics)
        defer { log.flush(atMost: .seconds(2)) }
        let isForPeople = ServerLog.isForPeople(wanted.logFormat, options.format)
        let logger = ServerLog.logger(level: wanted.logLevel, isForPeople: isForPeople, write: log.append)
        try Self.review(wanted, logger)
        let deployment = wanted.withConnectionsThatFit(logger)
        try PosixFiles().makePrivateFolder(deployment.dataDirectory)
        let whole = try DatabaseLease.shared(on: deployment.leaseFile)
        defer { whole.release() }
        let lease = try await lease(of: deployment)
        defer { lease.release() }
        let pushes = DispatchRecord()
        let dispatchers = try pushes.open(deployment.uaf.dispatchers, logger: logger)
        let processes = try SharedDatabase.open(deployment, logger: logger)
        defer { processes.leave() }
        let load = LoadController(deployment.http.limits.overload, QueueMetrics(metrics, logger: logger))
        let installation = try await ServerInstallation.open(
            deployment, origin: deployment.origin, equipment: .init(dispatchers: dispatchers, load: load),
            logger: logger, by: .server(processes.ports))
        // A first start leaves everything in the log of the database, and a copy of the file alone would have nothing.
        try installation.database.checkpoint()
        let certificates = try ServedCertificates(deployment, services: installation.services)
        let management = try ManagementListener(deployment.http.management)
        defer { management.place.leave() }
        let sites = try await OpenIDComposition.begun(installation)
        let parts = DeploymentWatch.Parts(installation, certificates, management.door, sites, pushes)
        let migrations = DeferredMigrations(installation, logger: logger)
        let watch = DeploymentWatch(file, running: configured, origin: deployment.origin, parts: parts, logger: logger)
        let findings = InstallationFindings(installation, file, running: configured, mistake: watch.mistake)
            .ofServer(certificates, log: log, pushes: pushes, migrations: migrations)
        let administration = try await AdministrationListeners(
            installation, people: parts.people, sites: sites.services, findings: findings, logger: logger)
        defer { administration.leave() }
        try await ServerProcess(
            installation: installation, sites: sites, watch: watch, certificates: certificates,
            management: management, administration: administration, metrics: metrics, logger: logger,
            start: start(isForPeople: isForPeople), lease: lease, migrations: migrations, findings: findings
        ).run()
        try installation.close()
    }
}

extension ServeCommand {
    private func start(isForPeople: Bool) -> ServerStart {
        ServerStart(readyFile: readyFile, isForPeople: isForPeople, options: options.location)
    }

    private func lease(of deployment: Deployment) async throws -> InstanceLease {
        let limits = deployment.http.limits
        return try await InstanceLease.take(
            deployment.instanceName, on: deployment.leaseFile, isTakingOver: takeOver,
            patience: limits.drainTime + limits.stopTime + .seconds(30))
    }

    /// Refuses mistakes, and logs what is unwise.
    static func review(_ deployment: Deployment, _ logger: Logger) throws {
        let catalog = try deployment.metadata(from: PosixFiles())
        let mistakes = ConfigurationMistakes(of: deployment, catalog)
        try ConfigurationMistakes.refuse(mistakes.ofFiles)
        // The limit of open files is left out: raising it logs what does not fit.
        for warning in mistakes.ofPolicies + ConfigurationReview(of: deployment, catalog, limit: nil).warnings {
            logger.warning("configuration", metadata: ["warning": "\(warning)"])
        }
    }
}

extension ManagementSettings {
    /// Takes a port in place of the configured one, and a free one for port 0.
    fileprivate mutating func takeFreePort(instead port: Int?) throws(CommandFailure) -> FreePorts? {
        guard var address else {
            guard port == nil else {
                throw .local(
                    "invalidConfiguration",
                    "--management-port does not go with management.server.socket, which has no port: leave one of them out"
                )
            }
            return nil
        }
        address.port = port ?? address.port
        defer { place = .address(address) }
        return try address.takeFreePort()
    }
}

extension Deployment {
    /// The deployment with as many connections as the system lets the process open.
    fileprivate func withConnectionsThatFit(_ logger: Logger) -> Deployment {
        var deployment = self
        deployment.http.limits.connectionCount = DescriptorLimit.raise(
            for: http.limits.connectionCount, logger: logger)
        return deployment
    }
}

extension LoadController {
    fileprivate convenience init(_ settings: OverloadSettings, _ report: QueueMetrics) {
        let random = BufferedRandomNumbers()
        self.init(
            settings, processors: EventLoopCount.inUse, report: report,
            draw: { range in
                var random = random
                return Int.random(in: range, using: &random)
            }, sleep: EventLoopTimer.sleep)
    }
}
