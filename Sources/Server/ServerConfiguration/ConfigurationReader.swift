import OpenID
import ServerCore
package import StrictYAML

/// Reader of a configuration source, which yields the decisions of the operator.
package enum ConfigurationReader {
    /// Reads a deployment, or throws everything that is wrong with it at once.
    ///
    /// Variables override settings: `SIGNET_SERVER_SERVER_PORT` is `server.port`.
    package static func read(_ source: ConfigurationSource) throws(ConfigurationError) -> Deployment {
        try source.read(variablePrefix: "SIGNET_SERVER_") { readDeployment(&$0) }
    }

    private static func readDeployment(_ reader: inout SectionReader) -> Deployment {
        let (profile, assuranceProfiles) = reader.readProfiles()
        let directory = reader.path("data-directory") ?? standardDataDirectory(reader.session.source.environment)
        var http = HTTPSettings()
        reader.section("server") { $0.readServer(into: &http, profile: profile) }
        reader.section("management") { $0.readManagement(into: &http) }
        let log = reader.section("log") { section in
            (
                level: section.choice("level", default: Deployment.LogLevel.info),
                format: section.choice("format", default: Deployment.LogFormat.automatic)
            )
        }
        let audit = reader.section("audit") { (retention: $0.readRetention(), syslog: $0.readSyslog()) }
        let tokens = reader.section("tokens") { $0.readTokens() }
        let outOfBand = reader.section("out-of-band") { $0.readOutOfBand() }
        let webSites = reader.readWebSites(audience: tokens.audience)
        if reader.has("administration") {
            http.administration = reader.section("administration") {
                $0.readAdministration(keys: outOfBand.accessKeys, openID: webSites.openID)
            }
        }
        return Deployment(
            profile: profile, assuranceProfiles: assuranceProfiles, dataDirectory: directory,
            masterKeyFile: reader.path("master-key-file") ?? directory + "/master.key",
            database: reader.section("database") {
                $0.readDatabase(standardFile: directory + "/signet.sqlite")
            },
            logLevel: log.level, logFormat: log.format, http: http,
            instanceName: reader.text("instance-name") ?? "main",
            auditRetention: audit.retention, syslog: audit.syslog,
            uaf: reader.section("fido-uaf") { $0.readUAF(profile: profile, http: http) },
            authorization: reader.section("authorization") { $0.readAuthorization() },
            tokens: tokens,
            sessions: reader.section("sessions") { $0.readSessions() },
            outOfBand: outOfBand,
            passwordLogin: reader.section("password-login") { $0.readPasswordLogin() },
            conformance: readConformance(&reader, profile: profile),
            webSites: webSites,
            reloadInterval: reader.section("reload") {
                $0.duration("interval", in: .seconds(1)...(.seconds(3_600)), default: .seconds(10))
            })
    }

    /// The adapter adds unknown users and asks for no authorization, so production never has it.
    private static func readConformance(_ reader: inout SectionReader, profile: Deployment.Profile) -> Bool {
        reader.section("conformance") { section in
            let isEnabled = section.flag("enabled", default: false)
            if isEnabled && profile == .production {
                section.report("enabled", .notAllowed(rule: "is refused in the production profile"))
            }
            return isEnabled
        }
    }

    /// `$XDG_STATE_HOME/signet-server`, by default below the home folder.
    private static func standardDataDirectory(_ environment: [String: String]) -> String {
        let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return (state ?? (environment["HOME"] ?? "") + "/.local/state") + "/signet-server"
    }
}
