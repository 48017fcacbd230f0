import ArgumentParser
import BackendAPI
import UAF

/// `signet-server dispatch authenticate`.
struct DispatchAuthenticateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "authenticate", abstract: "Ask a user to sign in or to confirm a text.",
        discussion: "Without a user and a target whoever answers is the one who signs in.")

    @Option(name: .long, help: ArgumentHelp("Name or external id of the user.", valueName: "name"))
    var user: String?

    @Option(name: .long, help: ArgumentHelp("The policy, instead of the default one.", valueName: "name"))
    var policy: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "What is to be confirmed, byte by byte as it is shown and signed; text in UTF-8.", valueName: "file"))
    var transactionFile: String?

    @Option(name: .long, help: ArgumentHelp("Type of the content of that file.", valueName: "type"))
    var contentType = "text/plain"

    @OptionGroup var dispatch: DispatchOptions

    @OptionGroup var options: ServerOptions

    func validate() throws {
        _ = try user.map(DispatchOptions.userName)
    }

    func run() async throws { try await DispatchDesk.perform(context, dispatch, options) }

    /// What is asked for; throws a ``CommandFailure`` when the file cannot be read.
    func context() throws -> AuthenticationContext {
        let transactions = try transactionFile.map { path in
            guard let content = PosixFiles().contents(of: path) else {
                throw CommandFailure.local("fileUnusable", "cannot read \(path)")
            }
            return [Transaction(contentType: ContentType(contentType), content: content)]
        }
        return AuthenticationContext(
            username: try user.map(DispatchOptions.userName), transactions: transactions ?? [], policy: policy)
    }
}
