import ArgumentParser
import CommandSupport
import OpenID
import ServerCommandSupport
import ServerConfiguration
import ServerCore

struct ServerOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The configuration file (YAML); by default settings for a trial on this machine.",
            valueName: "file"))
    var config: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Folder of database, keys and certificate, instead of the configured one.", valueName: "directory"))
    var dataDirectory: String?

    @Option(name: .long, help: "Output format: text or json.")
    var format = OutputFormat.text

    var file: ConfigurationFile { ConfigurationFile(path: config, dataDirectory: dataDirectory) }

    /// Options that select the same installation in other commands, each with a leading space; empty for none.
    var location: String {
        let words = [("--config", config), ("--data-directory", dataDirectory)]
        return words.compactMap { name, value in value.map { " \(name) \(ShellWord.quoted($0))" } }.joined()
    }

    var commandReport: CommandReport { CommandReport(program: .server, format: format) }

    /// Result of `body` on the installation that the options select; servers on the same database continue.
    func onInstallation<Value>(
        expecting expectation: EmptyDatabase.Expectation = .any, _ body: (ServerInstallation) async throws -> Value
    ) async throws -> Value {
        let deployment = try file.deployment()
        let installation = try await ServerInstallation.open(
            deployment, origin: deployment.origin, logger: ServerLog.quiet,
            by: .command(AuditActor.ofProcess(), expecting: expectation))
        let value = try await body(installation)
        try installation.close()
        return value
    }

    func report(_ body: () async throws -> CommandReport.Outcome) async throws {
        try await commandReport.run { try await DatabaseFailures.explaining(body) }
    }
}

extension Deployment {
    /// Origin under which clients reach the service: the configured one, else the listener's.
    var origin: String {
        http.publicOrigin ?? (http.security == .plain ? "http://" : "https://") + http.service.authority
    }

    /// Origin of the console: the host of the service at the port of the administration; nil where there is no console.
    var consoleOrigin: String? {
        guard let administration = http.administration, administration.security != .plain, webSites.openID != nil,
            let authority = origin.split(separator: "/").last
        else { return nil }
        let port = authority.lastIndex(of: ":").flatMap { authority[$0...].contains("]") ? nil : $0 }
        let host = authority[..<(port ?? authority.endIndex)]
        return "https://\(host)" + (administration.address.port == 443 ? "" : ":\(administration.address.port)")
    }
}
