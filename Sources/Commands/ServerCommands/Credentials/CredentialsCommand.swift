import ArgumentParser
import CommandSupport
import ServerAdministration
import StrictJSON

struct CredentialsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "credentials", abstract: "List, disable, enable and remove the keys that users have registered.",
        subcommands: [
            OperationCommand<ListCredentials>.self, OperationCommand<DisableCredentials>.self,
            OperationCommand<EnableCredentials>.self, OperationCommand<RemoveCredentials>.self,
        ])
}

struct ListCredentials: SingleRequest {
    typealias Manner = Listing

    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the registered credentials.")

    @Option(name: .long, help: ArgumentHelp("Only credentials of this user (name or external id).", valueName: "name"))
    var user: String?

    var step: OperationStep { OperationStep(.listCredentials, query: ["user": user]) }

    func text(of reply: AdministrationReply, isWhole: Bool) -> TerminalText {
        reply.table(
            of: "credentials",
            [
                "USER": "userName", "AAID": "aaid", "KEY ID": "keyId", "STATUS": "status", "COUNTER": "signCounter",
                "CREATED": "createdAt", "LAST USED": "lastUsedAt", "PROTECTION": "protection", "DEVICE": "deviceName",
            ], empty: "There are no credentials yet.")
    }
}

struct DisableCredentials: OperationWords {
    static let configuration = CommandConfiguration(
        commandName: "disable", abstract: "Switch credentials of a user off until they are enabled again.",
        discussion: """
            They do not work until "credentials enable", and neither do sessions and tokens that rest on them alone. \
            Logins with other keys or a password go on.
            """)

    @OptionGroup var selection: UserCredentialSelection

    func steps(on server: some AdministrationConnection) async throws -> [OperationStep] {
        try await selection.steps(on: server, .changeCredential, ["status": .string("disabled")], "Disabled")
    }
}

struct EnableCredentials: OperationWords {
    static let configuration = CommandConfiguration(
        commandName: "enable", abstract: "Switch credentials of a user on again.",
        discussion: "Sessions and tokens that rest on them are valid again until they expire.")

    @OptionGroup var selection: UserCredentialSelection

    func steps(on server: some AdministrationConnection) async throws -> [OperationStep] {
        try await selection.steps(on: server, .changeCredential, ["status": .string("active")], "Enabled")
    }
}

struct RemoveCredentials: OperationWords {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove credentials of a user; they stop working at once.",
        discussion: """
            This also ends the user's sessions and tokens, and what was begun with them: an open registration fails. The \
            phone keeps its record, finds out at its next use, and can still ask what waits for it; use "devices remove" \
            to take that away, too.
            """)

    @OptionGroup var selection: UserCredentialSelection

    func steps(on server: some AdministrationConnection) async throws -> [OperationStep] {
        try await selection.steps(on: server, .removeCredential, nil, "Removed")
    }
}
