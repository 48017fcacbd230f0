import ArgumentParser
import CommandSupport
import ServerAdministration
import ServerCommandSupport
import ServerConfiguration
import ServerCore
import ServerPersistence
import StrictJSON
import UAFService

struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "Rotate or replace the keys of the server.",
        subcommands: [OperationCommand<RotateKeys>.self, KeysReplaceCommand.self])
}

struct RotateKeys: SingleRequest {
    static let configuration = CommandConfiguration(
        commandName: "rotate", abstract: "Make fresh keys for ceremonies and tokens.",
        discussion: """
            A running server uses them within a minute; what was made with the old keys stays valid until it expires. The \
            server rotates its keys once a day by itself.
            """)

    var step: OperationStep { OperationStep(.rotateKeys, done: "The server uses fresh keys from one minute on.") }
}

/// `signet-server keys replace`: replaces all keys at once, which invalidates everything that was issued with the old
/// ones.
struct KeysReplaceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replace", abstract: "Replace all keys at once, and end all sessions, tokens and links.",
        discussion: """
            Run it after restoring a backup, when the database carries the times of a machine with a wrong clock, or \
            when the master key is lost. It asks no question.

            It ends every challenge that waits for an answer, every session, grant and token, also of web sites, and \
            every link, code and push without an answer. It keeps users, credentials, phones, web sites and the audit. \
            A server that refused to start because the database was put back or copied starts again. The times in the \
            database begin anew at the clock of this machine. Running servers follow at once, or within ten seconds \
            when the message to them is lost.
            """)

    @OptionGroup var options: ServerOptions

    @Flag(
        name: .long,
        help: """
            Make a new master key file if there is none, and replace the key behind the answers for unknown users, too: \
            for a lost master key. Stop all servers first.
            """)
    var lostMasterKey = false

    func run() async throws {
        try await options.report {
            let deployment = try options.file.deployment()
            // A server that runs would go on to use the key that is lost, and could not open what comes from now on.
            let alone = try lostMasterKey ? DatabaseLease.exclusive(on: deployment.leaseFile) : nil
            defer { alone?.release() }
            let installation = try await ServerInstallation.open(
                deployment, origin: deployment.origin, isMasterKeyLost: lostMasterKey, logger: ServerLog.quiet,
                by: .command(nil, expecting: .content))
            if !lostMasterKey { try await installation.services.replaceKeys() }
            // Behind it: a server starts only when all that was given out has ended.
            try await installation.marks.renew(at: SystemWallClock().now())
            let counts = try await installation.counts()
            try installation.close()
            return CommandReport.Outcome(
                text:
                    "All keys are new; sessions, tokens and links have ended. The database holds \(counts.words), as before.",
                result: ["replaced": .bool(true), "counts": .object(counts.json)])
        }
    }
}
