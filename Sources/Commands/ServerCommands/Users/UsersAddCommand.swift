import ArgumentParser
import CommandSupport
import ServerAdministration
import ServerCommandSupport
import ServerConfiguration
import ServerCore
import StrictJSON
import UAF

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
        help: ArgumentHelp("File with the password; without it the user cannot log in by password.", valueName: "file"))
    var passwordFile: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Name that other systems know the user by; random if not given.", valueName: "id"))
    var externalID: String?

    @OptionGroup var attributes: AttributeOptions
    @OptionGroup var manner: Changing
    @OptionGroup var place: AdministrationPlace
    @OptionGroup var options: ServerOptions

    func validate() throws {
        guard invite || pictureFile == nil else { throw ValidationError("--out belongs to --invite.") }
    }

    func run() async throws {
        try await options.commandReport.run { try await place.ask(options) { try await outcome(on: $0) } }
    }

    func outcome(on server: some AdministrationConnection) async throws -> CommandReport.Outcome {
        let password = try passwordFile.map { try PasswordFile(path: $0).password() }
        var request = AdministrationRequest(.addUser, members: members(password))
        try request.say(why: manner.reason)
        let added = outcome(of: try await server.answer(to: request))
        guard invite else { return added }
        let authority = place.server == nil ? Invitation.authorityFile(of: try options.file.deployment()) : place.ca
        let dispatch = OperationDispatch(
            server: server, options: try DispatchOptions.parse(pictureFile.map { ["--out", $0] } ?? []),
            reason: manner.why, location: options.location)
        do {
            let begun = try await dispatch.begin(.registration, ["user": .string(name.text)])
            return Invitation(name: name, origin: begun.origin, authorityFile: authority)
                .outcome(after: added, begun.outcome)
        } catch {
            var failure = CommandFailure(serving: error)
            failure.message = "the user was added, but not invited: \(failure.message)"
            throw failure
        }
    }

    private func members(_ password: String?) -> JSONObject {
        [
            "name": .string(name.text), "externalId": externalID.map { .string($0) },
            "password": password.map { .string($0) }, "mayBeAlike": althoughAlike ? .bool(true) : nil,
            "attributes": attributes.changes.isEmpty ? nil : .object(attributes.members()),
        ]
    }

    private func outcome(of reply: AdministrationReply) -> CommandReport.Outcome {
        var lines = ["Added \(name.terminal) (external id \(reply.member("externalId")))."]
        var warnings: [String] = []
        if reply.member("passwordLogin") == "false" {
            warnings.append(
                "password login is off, so this password does not work yet: set password-login.enabled to true and "
                    + "restart the server, or invite the user with dispatch register --user \(name.shell)")
        } else if passwordFile == nil && !invite {
            lines.append(
                "Invite the user to register a phone: signet-server dispatch register --user \(name.shell) -m WHY"
                    + options.location)
        }
        lines += warnings.map { "warning: \($0)" }
        let shown = ((try? reply.values.first?.asObject()) ?? [:]).members.filter { $0.name != "passwordLogin" }
        return CommandReport.Outcome(
            text: TerminalText(lines: lines),
            result: JSONObject(distinct: shown + [.init("warnings", .array(warnings.map { .string($0) }))]))
    }
}

struct Invitation {
    let name: GivenName
    /// Origin under which phones reach the server.
    let origin: String
    /// File of the certificate authority that phones have to trust; nil when their system knows it.
    let authorityFile: String?

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
    static func authorityFile(of deployment: Deployment) -> String? {
        guard deployment.http.security == .ownCertificate else { return nil }
        return CertificateFolder(path: deployment.dataDirectory + "/tls", files: PosixFiles()).authorityFile
    }
}
