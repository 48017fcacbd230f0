import ArgumentParser
import CommandSupport
import OpenID
import ServerAdministration
import ServerCore
import StrictJSON
import UAFService

struct OutgoingCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outgoing", abstract: "List, retry and drop messages to other systems.",
        subcommands: [OutgoingListCommand.self, OutgoingRetryCommand.self, OutgoingDropCommand.self])
}

struct OutgoingListCommand: AdministrationCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the messages that wait, or the ones that were given up; newest first.")

    @Flag(name: .long, help: "List the messages that were given up.")
    var dead = false

    @Option(name: .long, help: ArgumentHelp("Most messages to list.", valueName: "n"))
    var limit = 100

    @OptionGroup var options: ServerOptions

    func validate() throws {
        guard (1...10_000).contains(limit) else { throw ValidationError("--limit is between 1 and 10000.") }
    }

    func outcome(on server: OpenIDServer) async throws -> CommandReport.Outcome {
        let messages = try await OutgoingAdministration(server).messages(dead ? .dead : .waiting, limit: limit)
        let lines = messages.map { message in
            [
                message.id.text, message.kind.rawValue, message.destination, "\(message.attempts) tries",
                message.lastFailure ?? "-", message.createdAt.iso8601,
            ]
        }
        return CommandReport.Outcome(
            text: lines.isEmpty ? "There are no messages." : TerminalText(rows: lines),
            result: ["messages": .array(messages.map(\.json))])
    }
}

struct OutgoingRetryCommand: AdministrationCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry", abstract: "Try a message again at once, with all its tries; its identifier stays.")

    @Argument(help: "Identifier of the message, from \"outgoing list\".")
    var id: String

    @OptionGroup var options: ServerOptions

    func outcome(on server: OpenIDServer) async throws -> CommandReport.Outcome {
        let id = try OutgoingCommand.id(id)
        guard try await OutgoingAdministration(server).retry(id) else { throw OutgoingCommand.unknown }
        return CommandReport.Outcome(
            text: "The message \(id.text) is tried again.", result: ["retried": .string(id.text)])
    }
}

struct OutgoingDropCommand: AdministrationCommand {
    static let configuration = CommandConfiguration(
        commandName: "drop", abstract: "Drop a message; its receiver never gets it.")

    @Argument(help: "Identifier of the message, from \"outgoing list\".")
    var id: String

    @OptionGroup var options: ServerOptions

    func outcome(on server: OpenIDServer) async throws -> CommandReport.Outcome {
        let id = try OutgoingCommand.id(id)
        guard try await OutgoingAdministration(server).drop(id) else { throw OutgoingCommand.unknown }
        return CommandReport.Outcome(text: "Dropped the message \(id.text).", result: ["dropped": .string(id.text)])
    }
}

extension OutgoingCommand {
    static let unknown = CommandFailure.refused("messageUnknown", "there is no such message")

    static func id(_ text: String) throws(CommandFailure) -> OutgoingMessageID {
        guard let id = OutgoingMessageID(text: text) else { throw unknown }
        return id
    }
}
