import ArgumentParser
import BackendAPI
import CommandSupport
import ServerCommandSupport
import ServerConfiguration
import ServerCore
import StrictJSON
import UAF
import UAFService

struct UsersAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a user.",
        discussion: """
            With --invite the user can register a phone at once: the command draws a QR code here, or writes it with \
            --out. Use "dispatch register --user NAME" to invite the user later.

            A password works only while password login is on (password-login.enabled).

            \(PasswordFile.discussion)
            """)

    @Argument(help: "Name that the user logs in with, 1 to 128 characters.")
    var name: GivenName

    @Flag(name: .long, help: "Add the user although people could take the name for another one.")
    var althoughAlike = false

    @Flag(name: .long, help: "Invite the user to register a phone, by a QR code and a link.")
    var invite = false

    @Option(
        name: .customLong("out"),
        help: ArgumentHelp(
            "With --invite: a file for the picture of the QR code; only its owner may read it.", valueName: "file.png"))
    var pictureFile: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "With --invite: address at which phones reach the server, if it is not the configured one (\"serve --port\").",
            valueName: "url"))
    var server: String?

    @Option(
        name: .long,
        help: ArgumentHelp("File with the password; without it the user cannot log in by password.", valueName: "file"))
    var passwordFile: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Name that other systems know the user by; random if not given.", valueName: "id"))
    var externalID: String?

    @OptionGroup var attributes: AttributeOptions
    @OptionGroup var options: ServerOptions

    func validate() throws {
        guard invite || (pictureFile == nil && server == nil) else {
            throw ValidationError("--out and --server belong to --invite.")
        }
        _ = try dispatchOptions
    }

    func run() async throws {
        try await options.report {
            let password = try passwordFile.map { try PasswordFile(path: $0).password() }
            guard invite else {
                return try await options.onInstallation {
                    try await add(to: $0.services, password: password, $0.deployment)
                }
            }
            return try await OperationDispatch.open(options, dispatchOptions) { dispatch, deployment in
                let added = try await add(to: dispatch.services, password: password, deployment)
                return Invitation(
                    name: name, origin: dispatch.options.origin ?? deployment.origin, deployment: deployment
                )
                .outcome(after: added, try await invitation(from: dispatch))
            }
        }
    }

    private func add(
        to services: ServerServices, password: String?, _ deployment: Deployment
    ) async throws -> CommandReport.Outcome {
        // A value that breaks a rule is refused before anything is written.
        var trial = UserAttributes()
        do throws(UserAttributeFault) {
            try trial.apply(attributes.changes)
        } catch {
            throw CommandFailure.attribute(error)
        }
        let user = try await services.users.add(
            name: name.text, externalID: externalID, password: password, mayBeAlike: althoughAlike)
        if !attributes.changes.isEmpty { _ = try await services.users.change(attributes.changes, of: user) }
        var lines = ["Added \(user.name.terminal) (external id \(user.externalID.terminal))."]
        var warnings: [String] = []
        if password != nil && deployment.passwordLogin == nil {
            warnings.append(
                "password login is off, so this password does not work yet: set password-login.enabled to true and "
                    + "restart the server, or invite the user with dispatch register --user \(user.name.shell)")
        } else if password == nil && !invite {
            lines.append(
                "Invite the user to register a phone: "
                    + "signet-server dispatch register --user \(user.name.shell)\(options.location)"
            )
        }
        lines += warnings.map { "warning: \($0)" }
        return CommandReport.Outcome(
            text: TerminalText(lines: lines),
            result: [
                "name": .string(user.name.text), "externalId": .string(user.externalID.text),
                "attributes": .object(trial.members), "warnings": .array(warnings.map { .string($0) }),
            ])
    }

    private func invitation(from dispatch: OperationDispatch) async throws -> CommandReport.Outcome {
        do {
            return try await dispatch.outcome(
                of: RegistrationContext(username: try DispatchOptions.userName(name.text))
            ) {
                _ in
            }
        } catch {
            var failure = CommandFailure(serving: error)
            failure.message = "the user was added, but not invited: \(failure.message)"
            throw failure
        }
    }

    private var dispatchOptions: DispatchOptions {
        get throws {
            try DispatchOptions.parse(
                (pictureFile.map { ["--out", $0] } ?? []) + (server.map { ["--server", $0] } ?? []))
        }
    }
}

struct Invitation {
    let name: GivenName
    /// Origin under which phones reach the server.
    let origin: String
    let deployment: Deployment

    /// Outcome of `users add --invite`; `added` is the report of the account, `dispatched` the report of the ceremony.
    func outcome(
        after added: CommandReport.Outcome, _ dispatched: CommandReport.Outcome
    ) -> CommandReport.Outcome {
        CommandReport.Outcome(
            text: TerminalText([added.text, dispatched.text, TerminalText(lines: advice(dispatched))]),
            result: JSONObject(
                distinct: added.result.members + [JSONObject.Member("invitation", .object(dispatched.result))]))
    }

    private func advice(_ dispatched: CommandReport.Outcome) -> [String] {
        let authority = authorityFile.map { " --ca \(ShellWord.quoted($0))" } ?? ""
        let file = dispatched.result.text("file")
        let hasLink = file == nil && dispatched.result.text("link") != nil
        let phone = [
            "signet device init --device phone --server \(origin)\(authority) --keys software",
            file.map { "signet device scan --device phone \(ShellWord.quoted($0))" },
            hasLink ? "signet device open --device phone \(Self.linkFile)" : nil,
            "signet device authenticate --device phone --user \(name.shell)",
        ]
        return [
            "", "The first phone that scans or opens it is registered for this user: show it to the user only.",
            "It is for the server at \(origin), which has to run. A phone on this command line:",
        ] + phone.compactMap(\.self).map { "  " + $0 } + (hasLink ? [Self.linkAdvice] : [])
    }

    private static let linkFile = "link.txt"
    private static let linkAdvice =
        "Put the link into \(linkFile) first: other users of the machine can read a command line."

    /// File of the certificate authority that phones on this machine have to trust; nil when an operator's certificate
    /// or plain HTTP is used.
    private var authorityFile: String? {
        guard deployment.http.security == .ownCertificate else { return nil }
        return CertificateFolder(path: deployment.dataDirectory + "/tls", files: PosixFiles()).authorityFile
    }
}
