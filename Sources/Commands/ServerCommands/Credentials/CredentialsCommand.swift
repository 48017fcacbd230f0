import ArgumentParser
import CommandSupport
import ServerCore
import StrictJSON
import UAF
import UAFService

struct CredentialsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "credentials", abstract: "List, disable, enable and remove the keys that users have registered.",
        subcommands: [
            CredentialsListCommand.self, CredentialsDisableCommand.self, CredentialsEnableCommand.self,
            CredentialsRemoveCommand.self,
        ])
}

struct CredentialsRemoveCommand: AdministrationCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove credentials of a user; they stop working at once.",
        discussion: """
            This also ends the user's sessions and tokens, and what was begun with them: an open registration fails. The \
            phone keeps its record, finds out at its next use, and can still ask what waits for it; use "devices remove" \
            to take that away, too.
            """)

    @OptionGroup var selection: UserCredentialSelection
    @OptionGroup var options: ServerOptions

    func outcome(on services: ServerServices) async throws -> CommandReport.Outcome {
        try await selection.report("removed", on: services) { ids in
            try await services.users.remove(ids, ofUserNamed: selection.user.text)
        }
    }
}

struct CredentialsDisableCommand: AdministrationCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable", abstract: "Switch credentials of a user off until they are enabled again.",
        discussion: """
            They do not work until "credentials enable", and neither do sessions and tokens that rest on them alone. \
            Logins with other keys or a password go on.
            """)

    @OptionGroup var selection: UserCredentialSelection
    @OptionGroup var options: ServerOptions

    func outcome(on services: ServerServices) async throws -> CommandReport.Outcome {
        try await selection.report("disabled", on: services) { ids in
            try await services.users.setStatus(.disabled, of: ids, ofUserNamed: selection.user.text)
        }
    }
}

struct CredentialsEnableCommand: AdministrationCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable", abstract: "Switch credentials of a user on again.",
        discussion: """
            Sessions and tokens that rest on them are valid again until they expire.
            """)

    @OptionGroup var selection: UserCredentialSelection
    @OptionGroup var options: ServerOptions

    func outcome(on services: ServerServices) async throws -> CommandReport.Outcome {
        try await selection.report("enabled", on: services) { ids in
            try await services.users.setStatus(.active, of: ids, ofUserNamed: selection.user.text)
        }
    }
}

struct CredentialsListCommand: UserListCommand {
    static let member = "credentials"
    static let empty: TerminalText = "There are no credentials yet."
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the registered credentials.")

    @Option(name: .long, help: ArgumentHelp("Only credentials of this user (name or external id).", valueName: "name"))
    var user: String?

    @OptionGroup var paging: ListPaging
    @OptionGroup var options: ServerOptions

    func rows(of user: User, on services: ServerServices) async throws -> [ListedCredential] {
        let targets = try await services.targets.targets(ofUserNamed: user.name.text)
        return try await services.users.credentials(of: user).map { credential in
            ListedCredential(credential, of: user, among: targets)
        }
    }
}
