import ArgumentParser
import CommandSupport
import ServerAdministration

struct PasskeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "passkeys", abstract: "List the passkeys of users, and remove one.",
        discussion: "Put an id that begins with a hyphen after all options and \"--\".",
        subcommands: [OperationCommand<ListPasskeys>.self, OperationCommand<RemovePasskey>.self])
}

struct ListPasskeys: OperationWords {
    typealias Manner = Listing

    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the passkeys of users.",
        discussion: "The model is a claim of the authenticator, unless its maker has certified it (PROOF certified).")

    @Option(name: .long, help: ArgumentHelp("Only passkeys of this user (name or external id).", valueName: "name"))
    var user: String?

    func steps(on server: some AdministrationConnection) -> [OperationStep] {
        [OperationStep(.listPasskeys, query: ["user": user])]
    }

    func text(of reply: AdministrationReply, isWhole: Bool) -> TerminalText {
        reply.table(
            of: "passkeys",
            [
                "ID": "id", "USER": "userName", "PASSKEY": "name", "SYNCED": "synced", "MODEL": "model",
                "PROOF": "attestation", "CREATED": "createdAt", "LAST USED": "lastUsedAt",
            ], empty: "There are no passkeys yet.")
    }
}

struct RemovePasskey: OperationWords {
    typealias Manner = Changing

    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a passkey, and end all sessions and tokens of its user.")

    @Argument(help: "Id of the passkey, as \"passkeys list\" shows it.")
    var id: String

    func steps(on server: some AdministrationConnection) async throws -> [OperationStep] {
        var request = AdministrationRequest(.removePasskey, id)
        request.version = try await server.answer(to: .init(.passkey, id)).version
        return [OperationStep(request, done: "Removed the passkey.")]
    }
}
