import CommandSupport
import ServerCommandSupport
import ServerConfiguration
import ServerCore
import UAFService

/// Sources of the findings about one installation.
struct InstallationFindings {
    private let installation: ServerInstallation
    private let file: ConfigurationFile
    /// Configuration with which the server started; nil where none runs.
    private let running: Deployment?
    private let mistake: ReloadMistake

    init(
        _ installation: ServerInstallation, _ file: ConfigurationFile, running: Deployment? = nil,
        mistake: ReloadMistake = ReloadMistake()
    ) {
        self.installation = installation
        self.file = file
        self.running = running
        self.mistake = mistake
    }

    /// Findings of a running server.
    func ofServer(
        _ certificates: ServedCertificates, log: LogQueue, pushes: DispatchRecord, migrations: DeferredMigrations
    ) -> FindingBoard {
        let (deployment, services) = (installation.deployment, installation.services)
        let sources: [FindingSource] =
            [
                .database(services), migrations.finding, keys, .clock(services.maintenance),
                .certificates(deployment) { certificates.terms },
            ]
            + [.audit(services.auditDamage), .processes(services.maintenance), .log(log), configuration]
            + [.address(deployment, certificates, services.acceptance), .disk(deployment), backup, policies]
            + [pushes.source, .outgoing(installation.sites), .subscribers(services), .descriptors()]
            + [.restoredCopy(installation.marks, isServed: true)]
        return FindingBoard(sources)
    }

    /// Sources for a look without a server.
    func withoutServer() -> [FindingSource] {
        let services = installation.services
        return [.database(services), keys, .clock(services.maintenance)]
            + Self.ofFiles(installation.deployment, file)
            + [policies, .outgoing(installation.sites), .subscribers(services)]
            + [.restoredCopy(installation.marks, isServed: false)]
    }

    /// Sources that need no installation that can be opened.
    static func ofFiles(_ deployment: Deployment, _ file: ConfigurationFile) -> [FindingSource] {
        [
            .certificates(deployment) { ServedCertificates.terms(inFilesOf: deployment) },
            .configuration(file, running: nil), .disk(deployment), .backup(deployment) { SystemWallClock().now() },
        ]
    }

    private var keys: FindingSource {
        .keys(installation.services, file: installation.deployment.masterKeyFile)
    }

    private var configuration: FindingSource { .configuration(file, running: running, mistake) }

    private var backup: FindingSource { .backup(installation.deployment) { SystemWallClock().now() } }

    private var policies: FindingSource { .policies(file, installation.services.storage.decoys) }
}
