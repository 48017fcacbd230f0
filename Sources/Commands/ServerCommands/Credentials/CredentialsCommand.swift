import ArgumentParser
import CommandSupport
import ServerCore
import StrictJSON
import UAF
import UAFService

/// `signet-server credentials`: commands for the credentials of users.
struct CredentialsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "credentials", abstract: "List, disable, enable and remove the keys that users have registered.",
        subcommands: [
            CredentialsListCommand.self, CredentialsDisableCommand.self, CredentialsEnableCommand.self,
            CredentialsRemoveCommand.self,
        ])
}

/// `signet-server credentials remove`: removes credentials of a user.
struct CredentialsRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove credentials of a user; they stop working at once.",
        discussion: """
            This also ends the user's sessions and tokens, and what was begun with them: an open registration fails. The \
            phone keeps its record, finds out at its next use, and can still ask what waits for it; use "devices remove" \
            to take that away, too.
            """)

    @OptionGroup var selection: UserCredentialSelection

    @OptionGroup var options: ServerOptions

    func run() async throws {
        try await options.reportOnServices { services in try await outcome(on: services) }
    }

    /// Removes the selected credentials; an empty selection is a failure.
    func outcome(on services: ServerServices) async throws -> CommandReport.Outcome {
        let (owner, ids) = try await selection.chosen(on: services)
        let changed = try await services.users.remove(ids, ofUserNamed: selection.user)
        return CredentialsReport(verb: "removed").outcome(changed, of: owner)
    }
}

/// `signet-server credentials disable`: disables credentials of a user.
struct CredentialsDisableCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable", abstract: "Switch credentials of a user off until they are enabled again.",
        discussion: """
            They do not work until "credentials enable", and neither do sessions and tokens that rest on them alone. \
            Logins with other keys or a password go on.
            """)

    @OptionGroup var selection: UserCredentialSelection

    @OptionGroup var options: ServerOptions

    func run() async throws {
        try await options.reportOnServices { services in try await outcome(on: services) }
    }

    /// Disables the selected credentials; an empty selection is a failure.
    func outcome(on services: ServerServices) async throws -> CommandReport.Outcome {
        let (owner, ids) = try await selection.chosen(on: services)
        let changed = try await services.users.setStatus(.disabled, of: ids, ofUserNamed: selection.user)
        return CredentialsReport(verb: "disabled").outcome(changed, of: owner)
    }
}

/// `signet-server credentials enable`: enables disabled credentials of a user.
struct CredentialsEnableCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable", abstract: "Switch credentials of a user on again.",
        discussion: """
            Sessions and tokens that rest on them are valid again until they expire.
            """)

    @OptionGroup var selection: UserCredentialSelection

    @OptionGroup var options: ServerOptions

    func run() async throws {
        try await options.reportOnServices { services in try await outcome(on: services) }
    }

    /// Enables the selected credentials; an empty selection is a failure.
    func outcome(on services: ServerServices) async throws -> CommandReport.Outcome {
        let (owner, ids) = try await selection.chosen(on: services)
        let changed = try await services.users.setStatus(.active, of: ids, ofUserNamed: selection.user)
        return CredentialsReport(verb: "enabled").outcome(changed, of: owner)
    }
}

/// Report of a command that has changed credentials of a user.
struct CredentialsReport {
    /// Past participle of the change, such as `removed`; also the name of the member in the result.
    let verb: String

    /// Outcome with a line, and a member of the result, for each credential.
    func outcome(_ ids: [CredentialID], of owner: User) -> CommandReport.Outcome {
        let objects = ids.map { id in
            JSONValue.object([
                "user": .string(owner.name.text), "aaid": .string(id.aaid.text), "keyId": .string(id.keyID.base64URL),
            ])
        }
        let title = verb.prefix(1).uppercased() + verb.dropFirst()
        let lines = ids.map { id in
            "\(title) \(id.aaid) \(id.keyID) of \(ForeignText.name(owner.name.text))."
        }
        return CommandReport.Outcome(
            text: lines.joined(separator: "\n"), result: [verb: .array(objects)])
    }
}

/// `signet-server credentials list`: lists credentials.
struct CredentialsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the registered credentials.")

    @Option(name: .long, help: ArgumentHelp("Only credentials of this user (name or external id).", valueName: "name"))
    var user: String?

    @OptionGroup var paging: ListPaging

    @OptionGroup var options: ServerOptions

    func run() async throws {
        try await options.reportPages(paging) { installation, position in
            try await page(on: installation.services, after: position)
        }
    }

    /// Outcome of the first page.
    func outcome(on services: ServerServices) async throws -> CommandReport.Outcome {
        try await page(on: services, after: paging.position).outcome
    }

    /// Page of the list of the credentials, each with the name of the phone it belongs to.
    func page(on services: ServerServices, after position: UserName?) async throws -> ListPage {
        let users = try await paging.users(of: services.users, named: user, after: position)
        var listed: [ListedCredential] = []
        for user in users.users {
            let targets = try await services.targets.targets(ofUserNamed: user.name.text)
            for credential in try await services.users.credentials(of: user) {
                listed.append(ListedCredential(credential, of: user, among: targets))
            }
        }
        let table = TextTable(head: ListedCredential.head, rows: listed.map(\.cells))
        return ListPage(
            "credentials", listed.map(\.json), text: table.text, empty: "There are no credentials yet.", of: users,
            paging: paging)
    }
}
