import ArgumentParser
import CommandSupport
import Foundation
import StrictJSON

struct DeviceListen: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "listen", abstract: "Wait for the next push message for this phone.",
        discussion: """
            With --answer it answers the message at once: it asks at the terminal, or else takes the answers from the \
            options. Without --answer it writes the message into the file of --out, or to standard output; answer it with \
            signet device approve or deny. Each message comes once.
            """)

    @OptionGroup var phone: PhoneOptions
    @OptionGroup var answer: AnswerOptions

    @Flag(name: .customLong("answer"), help: "Answer the message at once.")
    var isAnswered = false

    @Option(help: ArgumentHelp("Write the message into this file.", valueName: "FILE"))
    var out: String?

    @Option(help: ArgumentHelp("How long to wait, in seconds.", valueName: "SECONDS"))
    var timeout = 60

    func validate() throws {
        guard (0...86_400).contains(timeout) else { throw ValidationError("--timeout is 0 to 86400 seconds.") }
        guard out == nil || !isAnswered else { throw ValidationError("Give --out or --answer, not both.") }
    }

    func run() async throws {
        try await phone.report {
            var outcome: CommandReport.Outcome?
            let message = try await PushListener(folder: phone.folder).next(within: .seconds(timeout)) { message in
                outcome = try await take(message)
            }
            guard message != nil, let outcome else {
                throw CommandFailure.refused("NoMessage", "no push message came within \(timeout) seconds")
            }
            return outcome
        }
    }

    private func take(_ message: PushMessage) async throws -> CommandReport.Outcome {
        if isAnswered {
            if !message.heading.isEmpty { StandardError.write(message.heading + "\n") }
            return try await answer.answer(on: phone.folder) { phone in
                try PayloadSource.text(message.payload).payload(of: phone.client)
            }
        }
        if let out { try PrivateFile(path: out).write(message.payload) }
        return message.outcome(in: out)
    }
}

extension PushMessage {
    fileprivate var heading: String {
        [title, body].compactMap(\.self).map(ForeignText.name).joined(separator: ": ")
    }

    /// Report on a message that was taken: with its payload, or with the file that has it instead.
    func outcome(in file: String?) -> CommandReport.Outcome {
        let place: TerminalText = if let file { "The message is in \(file)." } else { TerminalText(value: payload) }
        return CommandReport.Outcome(
            text: heading.isEmpty ? place : "\(heading)\n\(place)",
            result: JSONObject([
                "number": .integer(number), "title": title.map(JSONValue.string), "body": body.map(JSONValue.string),
                "payload": file == nil ? .string(payload) : nil, "file": file.map(JSONValue.string),
            ]))
    }
}
