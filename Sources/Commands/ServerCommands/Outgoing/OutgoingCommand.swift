import ArgumentParser
import CommandSupport
import ServerAdministration

struct OutgoingCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outgoing", abstract: "List, retry and drop messages to other systems.",
        subcommands: [
            OperationCommand<ListMessages>.self, OperationCommand<RetryMessage>.self,
            OperationCommand<DropMessage>.self,
        ])
}

struct ListMessages: SingleRequest {
    typealias Manner = Showing

    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the messages that wait, or the ones that were given up; newest first.")

    @Flag(name: .long, help: "List the messages that were given up.")
    var dead = false

    @Option(name: .long, help: ArgumentHelp("Most messages to list, 1 to 1000.", valueName: "n"))
    var limit = 100

    func validate() throws {
        guard (1...1_000).contains(limit) else { throw ValidationError("--limit is between 1 and 1000.") }
    }

    var step: OperationStep {
        OperationStep(.listMessages, query: ["state": dead ? "dead" : nil, "limit": String(limit)])
    }

    func text(of reply: AdministrationReply, isWhole: Bool) -> TerminalText {
        reply.table(
            of: "messages",
            [
                "ID": "id", "KIND": "kind", "DESTINATION": "destination", "TRIES": "attempts",
                "LAST FAILURE": "lastFailure", "CREATED": "createdAt",
            ], empty: "There are no messages.")
    }
}

struct RetryMessage: SingleRequest {
    static let configuration = CommandConfiguration(
        commandName: "retry", abstract: "Try a message again at once, with all its tries; its identifier stays.")

    @Argument(help: "Identifier of the message, from \"outgoing list\".")
    var id: GivenName

    var step: OperationStep {
        OperationStep(.retryMessage, id.text, done: "The message \(id.terminal) is tried again.")
    }
}

struct DropMessage: SingleRequest {
    static let configuration = CommandConfiguration(
        commandName: "drop", abstract: "Drop a message; its receiver never gets it.")

    @Argument(help: "Identifier of the message, from \"outgoing list\".")
    var id: GivenName

    var step: OperationStep { OperationStep(.dropMessage, id.text, done: "Dropped the message \(id.terminal).") }
}
