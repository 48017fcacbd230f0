import ArgumentParser
import ServerCore
import StrictJSON
import UAF

/// `signet-server credentials`.
struct CredentialsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "credentials", abstract: "Look after the keys that users have registered.",
        subcommands: [
            CredentialsListCommand.self, CredentialsDisableCommand.self, CredentialsEnableCommand.self,
            CredentialsRemoveCommand.self,
        ])
}

/// `signet-server credentials remove`.
struct CredentialsRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove credentials of a user: nothing succeeds with them any more, at once.",
        discussion: """
            Sessions and tokens of the user end with the keys, and so does what was begun with them: a registration \
            that is open fails. The phone keeps its record, finds out when it is used next, and can still ask what \
            waits for it; "devices remove" takes that away, too.
            """)

    @OptionGroup var selection: UserCredentialSelection

    @OptionGroup var options: ServerOptions

    func run() async throws {
        try await options.reportOnServices { services in try await outcome(on: services) }
    }

    /// Does it for what is selected; that there is nothing is a failure.
    func outcome(on services: ServerServices) async throws -> CommandReport.Outcome {
        let (owner, ids) = try await selection.chosen(on: services)
        let changed = try await services.users.remove(ids, ofUserNamed: selection.user)
        return CredentialsReport(verb: "removed").outcome(changed, of: owner)
    }
}

/// `signet-server credentials disable`.
struct CredentialsDisableCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable", abstract: "Switch credentials of a user off, for as long as it takes.",
        discussion: """
            Nothing succeeds with them until "credentials enable", nor with sessions and tokens that were made with \
            nothing else. Logins made with other keys or a password go on.
            """)

    @OptionGroup var selection: UserCredentialSelection

    @OptionGroup var options: ServerOptions

    func run() async throws {
        try await options.reportOnServices { services in try await outcome(on: services) }
    }

    /// Does it for what is selected; that there is nothing is a failure.
    func outcome(on services: ServerServices) async throws -> CommandReport.Outcome {
        let (owner, ids) = try await selection.chosen(on: services)
        let changed = try await services.users.setStatus(.disabled, of: ids, ofUserNamed: selection.user)
        return CredentialsReport(verb: "disabled").outcome(changed, of: owner)
    }
}

/// `signet-server credentials enable`.
struct CredentialsEnableCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable", abstract: "Switch credentials of a user on again.",
        discussion: """
            Sessions and tokens that were made with them hold again until they expire.
            """)

    @OptionGroup var selection: UserCredentialSelection

    @OptionGroup var options: ServerOptions

    func run() async throws {
        try await options.reportOnServices { services in try await outcome(on: services) }
    }

    /// Does it for what is selected; that there is nothing is a failure.
    func outcome(on services: ServerServices) async throws -> CommandReport.Outcome {
        let (owner, ids) = try await selection.chosen(on: services)
        let changed = try await services.users.setStatus(.active, of: ids, ofUserNamed: selection.user)
        return CredentialsReport(verb: "enabled").outcome(changed, of: owner)
    }
}

/// What a command says that has changed credentials of a user.
struct CredentialsReport {
    /// The past participle, such as `removed`; also the member of the result.
    let verb: String

    /// The lines and members of an outcome.
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

/// `signet-server credentials list`.
struct CredentialsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the registered credentials.")

    @Option(name: .long, help: ArgumentHelp("Only those of this user (name or external id).", valueName: "name"))
    var user: String?

    @OptionGroup var options: ServerOptions

    func run() async throws {
        try await options.reportOnServices { services in try await outcome(on: services) }
    }

    /// The credentials with the name of the phone each belongs to.
    func outcome(on services: ServerServices) async throws -> CommandReport.Outcome {
        var listed: [ListedCredential] = []
        for user in try await services.users.chosen(user) {
            let targets = try await services.targets.targets(ofUserNamed: user.name.text)
            for credential in try await services.users.credentials(of: user) {
                listed.append(ListedCredential(credential, of: user, among: targets))
            }
        }
        let table = TextTable(head: ListedCredential.head, rows: listed.map(\.cells))
        return CommandReport.Outcome(
            text: listed.isEmpty ? "There are no credentials yet." : table.text,
            result: ["credentials": .array(listed.map(\.json))])
    }
}
