import ServerCore

/// Reader of a configuration source, which yields the decisions of the operator.
package enum ConfigurationReader {
    /// Reads a deployment, or throws everything that is wrong with it at once.
    package static func read(_ source: ConfigurationSource) throws(ConfigurationError) -> Deployment {
        let session = ReadingSession(source: source)
        let root = try ConfigurationNode.parse(source.text, fileName: source.fileName ?? "")
        var reader = SectionReader(root, path: [], session: session)
        let deployment = readDeployment(&reader)
        reader.finish()
        session.reportUnknownVariables()
        guard session.problems.isEmpty else { throw .problems(session.problems) }
        return deployment
    }

    /// Reads another document by the same rules, or throws everything that is wrong with it at once: settings that `body`
    /// does not ask for, wrong types, values out of range, each with its place.
    package static func read<Value>(
        _ source: ConfigurationSource, _ body: (inout SectionReader) -> Value
    ) throws(ConfigurationError) -> Value {
        let session = ReadingSession(source: source)
        let root = try ConfigurationNode.parse(source.text, fileName: source.fileName ?? "")
        var reader = SectionReader(root, path: [], session: session)
        let value = body(&reader)
        reader.finish()
        guard session.problems.isEmpty else { throw .problems(session.problems) }
        return value
    }

    private static func readDeployment(_ reader: inout SectionReader) -> Deployment {
        let profile = reader.choice("profile", default: Deployment.Profile.development)
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
        return Deployment(
            profile: profile, dataDirectory: directory,
            masterKeyFile: reader.path("master-key-file") ?? directory + "/master.key",
            databaseFile: reader.section("database") { $0.path("file") } ?? directory + "/signet.sqlite",
            logLevel: log.level, logFormat: log.format, http: http,
            instanceName: reader.text("instance-name") ?? "main",
            auditRetention: reader.section("audit") { $0.readRetention() },
            uaf: reader.section("fido-uaf") { $0.readUAF(profile: profile) },
            authorization: reader.section("authorization") { $0.readAuthorization() },
            tokens: reader.section("tokens") { $0.readTokens() },
            sessions: reader.section("sessions") { $0.readSessions() },
            outOfBand: reader.section("out-of-band") { $0.readOutOfBand() },
            passwordLogin: reader.section("password-login") { $0.readPasswordLogin() },
            conformance: readConformance(&reader, profile: profile),
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
