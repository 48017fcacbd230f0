import ArgumentParser
import BackendAPI
import CommandSupport
import ServerAdministration
import ServerCore
import StrictJSON
import UAF

struct DispatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dispatch", abstract: "Send an operation to a phone, as a portal would, and follow it.",
        discussion: """
            Use it for trials and at the help desk; a system that does this every day uses the HTTP interface with an \
            access key. The commands need a running server, which the phone then talks to.
            """,
        subcommands: [
            DispatchRegisterCommand.self, DispatchAuthenticateCommand.self, DispatchDeregisterCommand.self,
            DispatchStatusCommand.self,
        ])
}

struct DispatchRegisterCommand: DispatchingCommand {
    static let configuration = CommandConfiguration(
        commandName: "register", abstract: "Invite a user to register a phone.",
        discussion: """
            The first phone that opens the link or scans the code is registered for the user: show it to the user only.
            """)

    @Option(name: .long, help: ArgumentHelp("Name or external id of the user.", valueName: "name"))
    var user: String

    @OptionGroup var dispatch: DispatchOptions
    @OptionGroup var manner: Changing
    @OptionGroup var place: AdministrationPlace
    @OptionGroup var options: ServerOptions

    var kind: OperationKind { .registration }

    func members() -> JSONObject { ["user": .string(user)] }
}

struct DispatchAuthenticateCommand: DispatchingCommand {
    static let configuration = CommandConfiguration(
        commandName: "authenticate", abstract: "Ask a user to sign in or to confirm a text.",
        discussion: "Without a user and a target any user may answer, and signs in.")

    @Option(name: .long, help: ArgumentHelp("Name or external id of the user.", valueName: "name"))
    var user: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "File with the text to confirm; shown and signed byte by byte, in UTF-8.", valueName: "file"))
    var transactionFile: String?

    @OptionGroup var dispatch: DispatchOptions
    @OptionGroup var manner: Changing
    @OptionGroup var place: AdministrationPlace
    @OptionGroup var options: ServerOptions

    var kind: OperationKind { .authentication }

    /// Throws a ``CommandFailure`` when the file of the transaction text cannot be read.
    func members() throws -> JSONObject {
        let text = try transactionFile.map { path in
            guard let content = PosixFiles().contents(of: path), let text = String(validating: content, as: UTF8.self)
            else { throw CommandFailure.local("fileUnusable", "cannot read \(path), or it is not UTF-8") }
            return text
        }
        return ["user": user.map { .string($0) }, "text": text.map { .string($0) }]
    }
}

struct DispatchDeregisterCommand: DispatchingCommand {
    static let configuration = CommandConfiguration(
        commandName: "deregister", abstract: "Remove credentials from a user and from the phone that receives this.",
        discussion: """
            The credentials end when a phone redeems the token. Use "credentials remove" to do it without a phone.
            """)

    @Option(name: .long, help: ArgumentHelp("Name or external id of the user.", valueName: "name"))
    var user: String

    @OptionGroup var selection: CredentialSelection
    @OptionGroup var dispatch: DispatchOptions
    @OptionGroup var manner: Changing
    @OptionGroup var place: AdministrationPlace
    @OptionGroup var options: ServerOptions

    var kind: OperationKind { .deregistration }

    func members() -> JSONObject {
        [
            "user": .string(user), "aaid": (selection.model?.text).map { .string($0) },
            "keyId": (selection.key?.base64URL).map { .string($0) },
        ]
    }
}

struct DispatchStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show the status of an operation.",
        discussion: """
            The exit code is 0 for every status; an operation of long ago is not found. Put an id that begins with a hyphen \
            last, after "--".
            """)

    @Argument(help: "The session id that the dispatch printed.")
    var session: String

    @Option(
        name: .long,
        help: ArgumentHelp("Wait for the end of the operation, at most this long.", valueName: "seconds"))
    var wait: Int?

    @OptionGroup var place: AdministrationPlace
    @OptionGroup var options: ServerOptions

    func validate() throws {
        if let wait, !(1...3_600).contains(wait) { throw ValidationError("Wait for 1 to 3600 seconds.") }
    }

    func run() async throws {
        try await options.commandReport.run { try await place.ask(options) { try await outcome(on: $0) } }
    }

    func outcome(on server: some AdministrationConnection) async throws -> CommandReport.Outcome {
        let status = try await server.status(of: session, atMost: .seconds(wait ?? 0))
        return CommandReport.Outcome(text: "\(status.sentence)", result: try status.json.asObject())
    }
}
