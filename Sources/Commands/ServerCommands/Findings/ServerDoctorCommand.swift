import ArgumentParser
import BackendAPI
import CommandSupport
import Foundation
import ServerCommandSupport
import ServerConfiguration
import ServerCore
import StrictJSON
import UAFService

struct ServerDoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Say what is wrong with the server, and what helps.",
        discussion: """
            It asks the server that runs on this installation. Without one it looks at what can be seen without: files, \
            certificates, disk, database. The same findings are in the health and in the metric signet_finding.

            The exit code is the worst finding: 0 nothing or notes, 1 a warning, 2 something does not work.
            """)

    @Flag(name: .long, help: "Read all pages of the database file and look for damage; takes minutes for a large one.")
    var integrity = false

    @Option(name: .long, help: ArgumentHelp("Send a test message to the phones of this user.", valueName: "user"))
    var push: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Port on which the server was started for health and metrics.", valueName: "n"))
    var managementPort: Int?

    @OptionGroup var options: ServerOptions

    func run() async throws {
        var worst = ServerFinding.Severity.note
        try await options.report {
            let findings = try await findings()
            worst = findings.map(\.severity).max() ?? .note
            return Self.outcome(findings)
        }
        guard worst == .note else { throw ExitCode(worst == .down ? 2 : 1) }
    }

    private func findings() async throws -> [ServerFinding] {
        let file = options.file
        let deployment = try file.deployment()
        var management = deployment.http.management
        if let managementPort, case .address(var address) = management.place {
            address.port = managementPort
            management.place = .address(address)
        }
        let look = OfflineLook(options: options, file: file, deployment: deployment)
        var findings: [ServerFinding] = []
        if DatabaseLease.isHeld(on: deployment.leaseFile) {
            do throws(CommandFailure) {
                findings = try await RunningServer(management).findings()
            } catch {
                findings = [.down(.server, "a server runs, but \(error.message)")] + (await look.findings())
            }
        } else {
            let note = ServerFinding.note(
                .server, "no server runs here: its address and its process were not looked at")
            findings = [note] + (await look.findings())
        }
        if integrity { findings += await FindingSource.integrity(deployment).look() }
        if let push { findings += try await look.push(to: push) }
        return findings
    }

    static func outcome(_ findings: [ServerFinding]) -> CommandReport.Outcome {
        let sorted = ServerFinding.Severity.allCases.reversed().flatMap { severity in
            findings.filter { $0.severity == severity }
        }
        let lines = sorted.flatMap { finding in
            ["\(finding.severity.rawValue)  \(finding.id): \(finding.text)"]
                + (finding.severity == .note ? [] : ["         \(finding.remedy)"])
        }
        let members = sorted.map { finding in
            JSONValue.object([
                "id": .string(finding.id), "severity": .string(finding.severity.rawValue),
                "text": .string(finding.text), "remedy": .string(finding.remedy),
            ])
        }
        return CommandReport.Outcome(
            text: lines.isEmpty ? "Nothing is wrong." : TerminalText(lines: lines),
            result: ["findings": .array(members)])
    }
}

/// Look at an installation by this process.
private struct OfflineLook {
    let options: ServerOptions
    let file: ConfigurationFile
    let deployment: Deployment

    /// Findings without a server; an installation that cannot be opened is a finding.
    func findings() async -> [ServerFinding] {
        let files = InstallationFindings.ofFiles(deployment, file)
        guard isThere else { return await Self.findings(files) }
        do {
            return try await DatabaseFailures.explaining {
                try await options.onInstallation(expecting: .content) { installation in
                    await Self.findings(InstallationFindings(installation, file).withoutServer())
                }
            }
        } catch {
            let failure = CommandFailure(serving: error)
            let isOfKeys = ["wrongMasterKey", "masterKeyLost", "exposedMasterKey"].contains(failure.code)
            return [.down(isOfKeys ? .keys : .database, failure.message)] + (await Self.findings(files))
        }
    }

    /// Whether something was installed here: a look makes nothing.
    private var isThere: Bool {
        let files = PosixFiles()
        return files.exists(deployment.masterKeyFile) || (deployment.database.file.map { files.exists($0) } ?? true)
    }

    private static func findings(_ sources: [FindingSource]) async -> [ServerFinding] {
        var findings: [ServerFinding] = []
        for source in sources { findings += await source.look() }
        return findings
    }

    /// Sends a test message to each phone of a user that takes some.
    func push(to user: String) async throws -> [ServerFinding] {
        let dispatchers = try ConfiguredDispatchers.open(deployment.uaf.dispatchers, logger: ServerLog.quiet).pushing
        guard let first = dispatchers.first else {
            return [.warning(.push, "fido-uaf.dispatchers has none that pushes: nothing was sent")]
        }
        return try await options.onInstallation(expecting: .content) { installation in
            let targets = try await installation.services.targets.targets(ofUserNamed: user)
            let notification = DispatchPayload.Notification(title: "Test message", body: "Sent by the server's doctor.")
            var findings: [ServerFinding] = []
            for target in targets {
                guard let destination = target.destination, case .token = destination else { continue }
                let dispatcher = dispatchers.first { $0.name == target.dispatcher } ?? first
                let name = ForeignText.name(target.name.text)
                switch await dispatcher.announce(notification, to: destination) {
                case .delivered: findings.append(.note(.push, "a test message was taken for \(name)"))
                case .failed(let cause):
                    findings.append(.warning(.push, "the test message for \(name) was \(cause.words)"))
                }
            }
            guard findings.isEmpty else { return findings }
            return [.warning(.push, "no phone of \(ForeignText.name(user)) takes messages (\"devices list --user\")")]
        }
    }
}
