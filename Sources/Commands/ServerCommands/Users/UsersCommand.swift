import ArgumentParser
import CommandSupport
import ServerAdministration
import ServerCore
import StrictJSON

struct UsersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "users",
        abstract: "Add, import, describe, lock, remove, export and erase the users who may register.",
        subcommands: [
            UsersAddCommand.self, OperationCommand<ListUsers>.self, OperationCommand<ShowUser>.self,
            OperationCommand<SetAttributes>.self, OperationCommand<ImportUsers>.self,
            OperationCommand<LockUser>.self, OperationCommand<UnlockUser>.self, OperationCommand<SetPassword>.self,
            OperationCommand<RemoveUser>.self, OperationCommand<ExportPerson>.self, OperationCommand<ErasePerson>.self,
        ])
}

struct ListUsers: SingleRequest {
    typealias Manner = Listing

    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the users in the order of their names.")

    var step: OperationStep { OperationStep(.listUsers) }

    func text(of reply: AdministrationReply, isWhole: Bool) -> TerminalText {
        reply.table(
            of: "users", ["NAME": "name", "EXTERNAL ID": "externalId", "STATUS": "status", "SINCE": "createdAt"],
            empty: "There are no users yet.")
    }
}

struct ShowUser: SingleRequest {
    typealias Manner = Showing

    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a user with the attributes that web sites may get.")

    @Argument(help: "Name or external id of the user.")
    var user: String

    var step: OperationStep { OperationStep(.user, user) }

    func text(of reply: AdministrationReply, isWhole: Bool) -> TerminalText { UserDescription(reply).text }
}

struct LockUser: SingleRequest {
    static let configuration = CommandConfiguration(
        commandName: "lock", abstract: "Lock a user: stop everything on the account at once.",
        discussion: """
            The server refuses sign-ins, registrations and operations that wait on a phone until "users unlock". Sessions \
            and tokens end with the lock and do not come back with its end; keys, devices and the password stay.
            """)

    @Argument(help: "Name or external id of the user.")
    var name: GivenName

    var step: OperationStep {
        OperationStep(
            .changeUser, name.text, members: ["status": .string(User.Status.locked.rawValue)],
            done: "Locked \(name.terminal); all sessions and tokens are ended.")
    }
}

struct UnlockUser: SingleRequest {
    static let configuration = CommandConfiguration(
        commandName: "unlock", abstract: "Unlock a user, who can then sign in again.",
        discussion: "Sessions and tokens from before the lock stay ended.")

    @Argument(help: "Name or external id of the user.")
    var name: GivenName

    var step: OperationStep {
        OperationStep(
            .changeUser, name.text, members: ["status": .string(User.Status.active.rawValue)],
            done: "Unlocked \(name.terminal).")
    }
}

struct RemoveUser: SingleRequest {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a user with all authenticators, sessions and the password.")

    @Argument(help: "Name or external id of the user.")
    var name: GivenName

    var step: OperationStep { OperationStep(.removeUser, name.text, done: "Removed \(name.terminal).") }
}

struct SetPassword: SingleRequest {
    static let configuration = CommandConfiguration(
        commandName: "set-password",
        abstract: "Set or replace the password of a user, and end all sessions and tokens.",
        discussion: PasswordFile.discussion)

    @Argument(help: "Name or external id of the user.")
    var name: GivenName

    @Option(name: .long, help: ArgumentHelp("File with the new password.", valueName: "file"))
    var passwordFile: String

    var step: OperationStep {
        get throws {
            let password = try PasswordFile(path: passwordFile).password()
            return OperationStep(
                .setPassword, name.text, members: ["password": .string(password)],
                done: "\(name.terminal) has a new password; all sessions and tokens are ended.")
        }
    }
}
