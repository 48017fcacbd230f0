import ArgumentParser
import ServerCore
import StrictJSON
import UAF

/// `signet-server credentials remove`.
struct CredentialsRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove credentials of a user: nothing succeeds with them any more, at once.",
        discussion: "The phone finds out when it is used next, or when its application compares notes with the server.")

    @Option(name: .long, help: ArgumentHelp("Name or external id of the user.", valueName: "name"))
    var user: String

    @OptionGroup var selection: CredentialSelection

    @OptionGroup var options: ServerOptions

    func validate() throws {
        guard selection.aaid != nil else { throw ValidationError("Say which credentials with --aaid.") }
    }

    func run() async throws {
        try await options.reportOnServices { services in try await outcome(on: services) }
    }

    /// Removes what is selected; that there is nothing is a failure.
    func outcome(on services: ServerServices) async throws -> CommandReport.Outcome {
        let owner = try await services.users.user(named: user)
        let ids = try await services.users.credentials(of: owner).map(\.id).filter(selection.contains)
        guard !ids.isEmpty else { throw ServerError.credentialUnknown }
        for id in ids { try await services.users.remove(id, ofUserNamed: user) }
        let objects = ids.map { id in
            JSONValue.object([
                "user": .string(owner.name.text), "aaid": .string(id.aaid.text), "keyId": .string(id.keyID.base64URL),
            ])
        }
        let lines = ids.map { "Removed \($0.aaid) \($0.keyID) of \(ForeignText.name(owner.name.text))." }
        return CommandReport.Outcome(
            text: lines.joined(separator: "\n"), result: ["removed": .array(objects)])
    }
}
