package import ArgumentParser
import CommandSupport
import FoundationEssentials
import PushSink
import ServerCommandSupport
import ServerConfiguration
import ServerCore
import StrictJSON

/// Command `signet-push-sink`: runs a stand-in for the push service.
package struct PushSinkCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "signet-push-sink", abstract: "Stand in for the push service on this machine.",
        discussion: """
            Speaks the protocol of Firebase Cloud Messaging (HTTP v1) with the server and hands the messages to \
            "signet device listen". The first start makes the file of a service account and, like the server, a \
            certificate with its own authority. Name both in the server's configuration:

              fido-uaf:
                dispatchers:
                  - type: firebase-cloud-messaging
                    service-account-json: service-account.json
                    endpoint-base-url: https://127.0.0.1:9443
                    trusted-certificates-file: tls/ca.pem

            It logs a line for each message: what a push service can see of it, and how much it cannot. It listens on a \
            loopback address only and asks phones for no login: for development and tests.

            Change its answers while it runs, for one phone or for all:

              POST /sink/behaviour {"answer": "unregistered" | "unavailable" | "refused" | "unauthorized" | "slow" | \
            "normal", "registrationToken": ..., "count": ..., "retryAfterSeconds": ..., "delayMilliseconds": ...}
              POST /sink/access-tokens/revoke
              GET /sink/messages

            Exit codes: 0 done, 2 something on this machine is missing or broken, 64 wrong usage.
            """,
        version: Program.version)

    @Option(name: .long, help: ArgumentHelp("Port; 0 takes a free one.", valueName: "n"))
    var port = 9_443

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Folder of the certificate and, without --service-account, of the service account; by default "
                + "$XDG_STATE_HOME/signet-server/push-sink.", valueName: "directory"))
    var dataDirectory: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The service account for the server's configuration; if there is none, made with mode 0600.",
            valueName: "file"))
    var serviceAccount: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Write a JSON object with url, port, caFile and serviceAccount to this file once the sink is ready.",
            valueName: "file"))
    var readyFile: String?

    @Option(name: .long, help: "Output format: text or json.")
    var format = OutputFormat.text

    package init() {}

    /// Runs the command line of the process, and exits.
    package static func runProcess() async {
        ProcessSecrecy.enforceInRelease()
        await main()
    }

    package func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("A port is between 0 and 65535.") }
    }

    package func run() async throws {
        try await CommandReport(program: .pushSink, format: format).run {
            let directory = try dataDirectory.map(Self.absolute) ?? Self.standardDirectory()
            let account = serviceAccount.map(Self.absolute) ?? directory + "/service-account.json"
            try await PushSinkProcess(
                address: ListenerAddress(host: "127.0.0.1", port: port),
                certificates: CertificateFolder(path: directory + "/tls", files: PosixFiles()),
                accountFile: ServiceAccountFile(path: account), readyFile: readyFile.map(Self.absolute),
                logger: ServerLog.logger(
                    label: "signet-push-sink", level: .info, isForPeople: ServerLog.isForPeople(.automatic, format))
            ).run()
            return CommandReport.Outcome(text: "", result: [:])
        }
    }

    private static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }

    private static func standardDirectory() throws -> String {
        try ConfigurationFile(path: nil, dataDirectory: nil).deployment().dataDirectory + "/push-sink"
    }
}

extension Program {
    /// `signet-push-sink`, a program for development and tests.
    static let pushSink = Program(name: "signet-push-sink") { CommandFailure(operating: $0) }
}
