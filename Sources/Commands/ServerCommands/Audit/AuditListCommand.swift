import ArgumentParser
import CommandSupport
import Foundation
import Octets
import ServerAdministration
import ServerCore
import StrictJSON

struct ListAudit: SingleRequest {
    typealias Manner = Showing

    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Show what happened, in words: the newest records that you ask for.",
        discussion: """
            Every option narrows the list: "audit list --user jeff --kind SIGNED_IN --since 7d" says when jeff signed in \
            during the last seven days, how, and at which site. The oldest record stands first. "audit events" explains \
            the kinds, and "audit show RECORD" prints everything that a record has.
            """)

    @OptionGroup var filter: AuditFilter

    @Option(name: .long, help: ArgumentHelp("Only events before this time; see --since.", valueName: "time"))
    var until: AuditTime?

    @Option(name: .long, help: ArgumentHelp("Most records to show, 1 to 10000.", valueName: "count"))
    var limit = 100

    func validate() throws {
        guard (1...10_000).contains(limit) else { throw ValidationError("--limit is between 1 and 10000.") }
    }

    var step: OperationStep {
        let end = until?.timestamp(at: SystemWallClock().now()).iso8601
        return OperationStep(filter.request([("until", end), ("limit", String(limit))]))
    }

    func text(of reply: AdministrationReply, isWhole: Bool) -> TerminalText {
        let entries = reply.objects("records").compactMap { AuditEntry(answer: $0) }
        var lines: [TerminalText] = entries.map(\.line)
        if lines.isEmpty { lines.append("There is no such record.") }
        if reply.member("older") == "true", let oldest = entries.first {
            lines.append("There are older ones: --until \(oldest.at.iso8601), or a greater --limit.")
        }
        let unreadable = reply.member("unreadable")
        if unreadable != "0" {
            lines.append("Records that cannot be read: \(unreadable); \"audit verify\" names them.")
        }
        return TerminalText(lines)
    }
}

struct AuditFollowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "follow", abstract: "Show what happens from now on, in words, until you press Ctrl-C.",
        discussion: "With --format json it prints one JSON object per line for each record.")

    /// Time between two questions.
    private static let interval: Duration = .milliseconds(500)

    @OptionGroup var filter: AuditFilter
    @OptionGroup var place: AdministrationPlace
    @OptionGroup var options: ServerOptions

    func run() async throws {
        let isJSON = options.format == .json
        try await options.commandReport.runSilently {
            try await place.ask(options) { server in
                try await follow(server) { record in
                    let line = AuditEntry(answer: record)?.line.description
                    print(isJSON ? JSONWriter.text(.object(record)) : line ?? JSONWriter.text(.object(record)))
                    fflush(nil)
                }
            }
        }
    }

    /// Passes each new record to `show` until the task is cancelled; with `--since` the ones from that time on before.
    func follow(_ server: some AdministrationConnection, _ show: (JSONObject) -> Void) async throws {
        var position =
            filter.since == nil
            ? try await server.answer(to: filter.request([("limit", "1")])).member("position")
            : AuditPosition().text
        while !Task.isCancelled {
            let reply = try await server.answer(to: filter.request([("position", position)]))
            for record in reply.objects("records") { show(record) }
            let isAtEnd = reply.member("position").hasSameOctets(as: position)
            position = reply.member("position")
            if isAtEnd { try? await Task.sleep(for: Self.interval) }
        }
    }
}

struct ShowAuditRecord: OperationWords {
    typealias Manner = Showing

    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Print everything that one record has.")

    @Argument(help: ArgumentHelp("The record, as \"audit list\" names it: main/12.", valueName: "record"))
    var record: RecordName

    func steps(on server: some AdministrationConnection) async throws -> [OperationStep] {
        let request = AdministrationRequest(
            .auditRecords,
            query: ["chain": record.chain, "after": String(record.sequence - 1), "limit": "1"])
        guard try await entry(in: server.answer(to: request)) != nil else {
            throw CommandFailure.refused(
                "recordUnknown", "there is no such record, or it cannot be read (\"audit verify\" names these)")
        }
        return [OperationStep(request)]
    }

    private func entry(in reply: AdministrationReply) -> AuditEntry? {
        let entry = reply.values.first.flatMap { try? AuditEntry(answer: $0.asObject()) }
        return entry?.sequence == record.sequence ? entry : nil
    }

    func text(of reply: AdministrationReply, isWhole: Bool) -> TerminalText {
        guard let entry = entry(in: reply) else { return "" }
        let members: [TerminalText] = entry.event.members.map { "  \($0.name): \(Self.text($0.value))" }
        return TerminalText([entry.line] + members)
    }

    private static func text(_ value: JSONValue) -> String {
        if case .string(let text) = value { text } else { JSONWriter.text(value) }
    }

    /// Name of a record: its chain and its number.
    struct RecordName: ExpressibleByArgument {
        let chain: String
        let sequence: Int64

        init?(argument: String) {
            guard let mark = argument.lastIndex(of: "/"),
                let sequence = Int64(argument[argument.index(after: mark)...]),
                sequence > 0
            else { return nil }
            (chain, self.sequence) = (String(argument[..<mark]), sequence)
        }
    }
}

struct AuditEventsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events", abstract: "Explain the kinds of events that the audit has.")

    @Option(name: .long, help: "Output format: text or json.")
    var format = OutputFormat.text

    func run() async throws {
        try await CommandReport(program: .server, format: format).run {
            let kinds = AuditEvent.Kind.allCases.sorted { $0.rawValue < $1.rawValue }
            return CommandReport.Outcome(
                text: TextTable(head: ["KIND", "MEANING"], rows: kinds.map { [$0.rawValue, $0.meaning] }).text,
                result: [
                    "events": .array(
                        kinds.map { .object(["kind": .string($0.rawValue), "meaning": .string($0.meaning)]) })
                ])
        }
    }
}
