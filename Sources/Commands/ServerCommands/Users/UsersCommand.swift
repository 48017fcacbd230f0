import ArgumentParser
import CommandSupport
import ServerCore
import ServerPersistence
import StrictJSON
import UAF
import UAFService

struct UsersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "users",
        abstract: "Add, import, describe, lock, remove, export and erase the users who may register.",
        subcommands: [
            UsersAddCommand.self, UsersListCommand.self, UsersShowCommand.self, UsersSetCommand.self,
            UsersImportCommand.self, UsersLockCommand.self, UsersUnlockCommand.self,
            UsersSetPasswordCommand.self, UsersRemoveCommand.self, UsersExportCommand.self, UsersEraseCommand.self,
        ])
}

struct UsersLockCommand: AdministrationCommand {
    static let configuration = CommandConfiguration(
        commandName: "lock", abstract: "Lock a user: stop everything on the account at once.",
        discussion: """
            The server refuses sign-ins, registrations and operations that wait on a phone until "users unlock". Sessions \
            and tokens end with the lock and do not come back with its end; keys, devices and the password stay.
            """)

    @Argument(help: "Name or external id of the user.")
    var name: GivenName

    @OptionGroup var options: ServerOptions

    func outcome(on services: ServerServices) async throws -> CommandReport.Outcome {
        try await services.users.lock(named: name.text)
        return CommandReport.Outcome(
            text: "Locked \(name.terminal); all sessions and tokens are ended.",
            result: ["user": .string(name.text), "status": .string(User.Status.locked.rawValue)])
    }
}

struct UsersUnlockCommand: AdministrationCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlock", abstract: "Unlock a user, who can then sign in again.",
        discussion: "Sessions and tokens from before the lock stay ended.")

    @Argument(help: "Name or external id of the user.")
    var name: GivenName

    @OptionGroup var options: ServerOptions

    func outcome(on services: ServerServices) async throws -> CommandReport.Outcome {
        try await services.users.unlock(named: name.text)
        return CommandReport.Outcome(
            text: "Unlocked \(name.terminal).",
            result: ["user": .string(name.text), "status": .string(User.Status.active.rawValue)])
    }
}

struct UsersListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the users in the order of their names.")

    @OptionGroup var paging: ListPaging
    @OptionGroup var options: ServerOptions

    func run() async throws {
        try await options.reportPages(paging, expecting: .content) { installation, position in
            let counts = try await installation.counts()
            let page = try await page(on: installation.services, after: position)
            return page.counting(counts.users, "users", in: paging)
        }
    }

    func page(on services: ServerServices, after position: UserName?) async throws -> ListPage {
        let users = try await paging.users(of: services.users, after: position)
        let rows = users.users.map { [$0.name.text, $0.externalID.text, $0.status.rawValue] }
        let objects = users.users.map { user in
            JSONValue.object([
                "name": .string(user.name.text), "externalId": .string(user.externalID.text),
                "status": .string(user.status.rawValue), "createdAt": .string(user.createdAt.iso8601),
            ])
        }
        return ListPage(
            "users", objects, text: TerminalText(rows: rows), empty: "There are no users yet.", of: users,
            paging: paging)
    }
}

struct UsersRemoveCommand: AdministrationCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a user with all authenticators, sessions and the password.")

    @Argument(help: "Name or external id of the user.")
    var name: GivenName

    @OptionGroup var options: ServerOptions

    func outcome(on services: ServerServices) async throws -> CommandReport.Outcome {
        try await services.users.remove(named: name.text)
        return CommandReport.Outcome(text: "Removed \(name.terminal).", result: ["removed": .string(name.text)])
    }
}

struct UsersSetPasswordCommand: AdministrationCommand {
    static let configuration = CommandConfiguration(
        commandName: "set-password",
        abstract: "Set or replace the password of a user, and end all sessions and tokens.",
        discussion: PasswordFile.discussion)

    @Argument(help: "Name or external id of the user.")
    var name: GivenName

    @Option(name: .long, help: ArgumentHelp("File with the new password.", valueName: "file"))
    var passwordFile: String

    @OptionGroup var options: ServerOptions

    func outcome(on services: ServerServices) async throws -> CommandReport.Outcome {
        try await services.users.setPassword(try PasswordFile(path: passwordFile).password(), named: name.text)
        return CommandReport.Outcome(
            text: "\(name.terminal) has a new password; all sessions and tokens are ended.",
            result: ["user": .string(name.text), "password": .string("set")])
    }
}

struct UsersShowCommand: AdministrationCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a user with the attributes that web sites may get.")

    @Argument(help: "Name or external id of the user.")
    var user: GivenName

    @OptionGroup var options: ServerOptions

    func outcome(on services: ServerServices) async throws -> CommandReport.Outcome {
        let user = try await services.users.user(named: user.text)
        let attributes = try await services.users.attributes(of: user)
        return CommandReport.Outcome(
            text: UserDescription.text(user, attributes), result: UserDescription.json(user, attributes))
    }
}
