import ArgumentParser
import ServerConfiguration
import ServerCore

/// What every command of `signet-server` takes.
struct ServerOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The configuration file (YAML). Without it the defaults for a trial on this machine apply.",
            valueName: "file"))
    var config: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Folder of database, keys and certificate, instead of the configured one.", valueName: "directory"))
    var dataDirectory: String?

    @Option(name: .long, help: "How to print what came out: text or json.")
    var format = OutputFormat.text

    /// Where the configuration stands.
    var file: ConfigurationFile { ConfigurationFile(path: config, dataDirectory: dataDirectory) }

    /// The options that lead other commands to the same installation, each word behind a blank; empty for none.
    var location: String {
        let words = [("--config", config), ("--data-directory", dataDirectory)]
        return words.compactMap { name, value in value.map { " \(name) \(ShellWord.quoted($0))" } }.joined()
    }

    /// Tells what comes out.
    var commandReport: CommandReport { CommandReport(program: .server, format: format) }

    /// Runs the body of a command on the services of the installation, and reports its outcome.
    ///
    /// A server that runs on the same database goes on.
    func reportOnServices(_ body: (ServerServices) async throws -> CommandReport.Outcome) async throws {
        try await report { try await onServices(body) }
    }

    /// Runs the body of a command that writes its own lines; only a failure is reported.
    func reportWriting(_ body: (ServerServices) async throws -> Void) async throws {
        let failures = CommandReport(program: .server, format: format)
        try await failures.runSilently { try await onServices(body) }
    }

    private func onServices<Value>(_ body: (ServerServices) async throws -> Value) async throws -> Value {
        let deployment = try file.deployment()
        let installation = try await ServerInstallation.open(
            deployment, origin: deployment.origin, logger: ServerLog.quiet, actor: AuditActor.ofProcess())
        let value = try await body(installation.services)
        try installation.close()
        return value
    }

    /// Runs the body of a command and reports its outcome.
    func report(_ body: () async throws -> CommandReport.Outcome) async throws {
        try await commandReport.run(body)
    }
}

extension Deployment {
    /// Where clients reach the service: as configured, else the listener itself.
    var origin: String {
        http.publicOrigin ?? (http.security == .plain ? "http://" : "https://") + http.service.authority
    }
}
