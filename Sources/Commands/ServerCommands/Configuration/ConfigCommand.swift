import ArgumentParser
import CommandSupport
import FoundationEssentials
import ServerCommandSupport
import ServerConfiguration
import ServerCore
import StrictJSON

struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Check the configuration without using it.",
        subcommands: [ConfigCheckCommand.self])
}

struct ConfigCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Say what a configuration means, what is wrong with it, and what is unwise.",
        discussion:
            "It starts nothing and leaves nothing behind. The exit code is 2 for mistakes, 0 for warnings alone. With --profile "
            + "it lists the requirements of a standard, each with what meets it; the exit code is 2 if one is not met.")

    @OptionGroup var options: ServerOptions

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Compare with a standard: nist-800-63b-4 (AAL2), nist-800-63b-4-aal3 or psd2-sca; several times for several.",
            valueName: "name"))
    var profile: [Deployment.AssuranceProfile] = []

    func run() async throws {
        guard profile.isEmpty else { return try await compare() }
        try await options.report {
            let deployment = try options.file.deployment()
            let catalog = try deployment.metadata(from: PosixFiles())
            let settings = try deployment.serverSettings(metadata: catalog, origin: deployment.origin)
            _ = try ConfiguredDispatchers.open(deployment.uaf.dispatchers, logger: ServerLog.quiet)
            let models = try await deployment.passkeyMetadata(from: PosixFiles(), at: Date())
            try ConfigurationMistakes.refuse(ConfigurationMistakes(of: deployment, catalog).sentences)
            let lines = ConfigurationExplanation(deployment, settings, catalog, models).lines
            let review = ConfigurationReview(of: deployment, catalog)
            let text =
                lines.map { "\($0.name): \($0.value)" } + review.warnings.map { "warning: \($0)" }
                + review.notices.map { "notice: \($0)" }
            let members = lines.map { JSONObject.Member($0.name, .string($0.value)) }
            return CommandReport.Outcome(
                text: TerminalText(lines: text),
                result: [
                    "settings": .object(JSONObject(distinct: members)),
                    "warnings": .array(review.warnings.map { .string($0) }),
                    "notices": .array(review.notices.map { .string($0) }),
                ])
        }
    }

    private func compare() async throws {
        var areMet = true
        try await options.report {
            let deployment = try options.file.deployment()
            let catalog = try deployment.metadata(from: PosixFiles())
            let reviews = profile.map { ProfileReview($0, of: deployment, catalog) }
            areMet = reviews.allSatisfy(\.contradictions.isEmpty)
            return CommandReport.Outcome(
                text: TerminalText(lines: reviews.flatMap(\.lines)),
                result: ["profiles": .array(reviews.map(\.json))])
        }
        guard areMet else { throw ExitCode(2) }
    }
}

extension Deployment.AssuranceProfile: ExpressibleByArgument {}
