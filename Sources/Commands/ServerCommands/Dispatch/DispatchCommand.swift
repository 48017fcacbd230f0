import ArgumentParser
import BackendAPI
import CommandSupport
import ServerCore
import StrictJSON
import UAF
import UAFService

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

struct DispatchRegisterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "register", abstract: "Invite a user to register a phone.",
        discussion: """
            The first phone that opens the link or scans the code is registered for the user: show it to the user only.
            """)

    @Option(name: .long, help: ArgumentHelp("Name or external id of the user.", valueName: "name"))
    var user: String

    @OptionGroup var dispatch: DispatchOptions
    @OptionGroup var options: ServerOptions

    func validate() throws {
        _ = try context()
    }

    func run() async throws { try await OperationDispatch.perform(context, dispatch, options) }

    func context() throws -> RegistrationContext {
        RegistrationContext(username: try DispatchOptions.userName(user))
    }
}

struct DispatchAuthenticateCommand: AsyncParsableCommand {
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
    @OptionGroup var options: ServerOptions

    func validate() throws {
        _ = try user.map(DispatchOptions.userName)
    }

    func run() async throws { try await OperationDispatch.perform(context, dispatch, options) }

    /// Context of the request; throws a ``CommandFailure`` when the file of the transaction text cannot be read.
    func context() throws -> AuthenticationContext {
        let transactions = try transactionFile.map { path in
            guard let content = PosixFiles().contents(of: path) else {
                throw CommandFailure.local("fileUnusable", "cannot read \(path)")
            }
            return [Transaction(contentType: .plainText, content: content)]
        }
        return AuthenticationContext(
            username: try user.map(DispatchOptions.userName), transactions: transactions ?? [])
    }
}

struct DispatchDeregisterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deregister", abstract: "Remove credentials from a user and from the phone that receives this.",
        discussion: """
            The credentials end when a phone redeems the token. Use "credentials remove" to do it without a phone.
            """)

    @Option(name: .long, help: ArgumentHelp("Name or external id of the user.", valueName: "name"))
    var user: String

    @OptionGroup var selection: CredentialSelection
    @OptionGroup var dispatch: DispatchOptions
    @OptionGroup var options: ServerOptions

    func validate() throws {
        _ = try context()
    }

    func run() async throws { try await OperationDispatch.perform(context, dispatch, options) }

    func context() throws -> DeregistrationContext {
        DeregistrationContext(username: try DispatchOptions.userName(user), scope: scope)
    }

    private var scope: DeregistrationContext.Scope {
        guard let model = selection.model else { return .everything }
        guard let key = selection.key else { return .models([model]) }
        return .keys([CredentialID(aaid: model, keyID: key)])
    }
}

struct DispatchStatusCommand: AdministrationCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show the status of an operation.",
        discussion: """
            The exit code is 0 for every status; "unknown" also stands for an operation of long ago. Put an id that begins \
            with a hyphen last, after "--".
            """)

    @Argument(help: "The session id or the token that the dispatch printed.")
    var session: String

    @Option(
        name: .long,
        help: ArgumentHelp("Wait for the end of the operation, at most this long.", valueName: "seconds"))
    var wait: Int?

    @OptionGroup var options: ServerOptions

    func validate() throws {
        if let wait, !(1...3_600).contains(wait) { throw ValidationError("Wait for 1 to 3600 seconds.") }
    }

    func outcome(on services: ServerServices) async throws -> CommandReport.Outcome {
        let status = try await services.status.status(
            ofSessionOrToken: session, untilEndedFor: .seconds(wait ?? 0))
        return CommandReport.Outcome(text: "\(status.sentence)", result: try status.json.asObject())
    }
}
