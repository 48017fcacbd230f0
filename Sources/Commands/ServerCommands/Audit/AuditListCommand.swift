import ArgumentParser
import CommandSupport
import Foundation
import ServerCore
import StrictJSON
import UAFService

struct AuditListCommand: AdministrationCommand {
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

    @OptionGroup var options: ServerOptions

    func validate() throws {
        guard (1...10_000).contains(limit) else { throw ValidationError("--limit is between 1 and 10000.") }
    }

    func outcome(on services: ServerServices) async throws -> CommandReport.Outcome {
        let now = services.ports.wall.now()
        var query = try await filter.query(on: services)
        query.until = until?.timestamp(at: now)
        let answer = try await services.audit.newest(query, limit: limit)
        var lines: [TerminalText] = answer.entries.map(\.line)
        if lines.isEmpty { lines.append("There is no such record.") }
        if answer.isCut, let oldest = answer.entries.first {
            lines.append("There are older ones: --until \(oldest.at.iso8601), or a greater --limit.")
        }
        if answer.unreadableCount > 0 {
            lines.append("Records that cannot be read: \(answer.unreadableCount); \"audit verify\" names them.")
        }
        return CommandReport.Outcome(
            text: TerminalText(lines),
            result: [
                "records": .array(answer.entries.map(\.json)), "older": .bool(answer.isCut),
                "unreadable": .integer(answer.unreadableCount),
            ])
    }
}

struct AuditFollowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "follow", abstract: "Show what happens from now on, in words, until you press Ctrl-C.",
        discussion: "With --format json it prints one JSON object per line for each record.")

    /// Time between two looks at the database.
    private static let interval: Duration = .milliseconds(500)

    @OptionGroup var filter: AuditFilter
    @OptionGroup var options: ServerOptions

    func run() async throws {
        let isJSON = options.format == .json
        try await options.reportWriting { installation in
            try await follow(installation.services) { entry in
                print(isJSON ? JSONWriter.text(entry.json) : entry.line.description)
                fflush(nil)
            }
        }
    }

    /// Passes each new record to `show` until the task is cancelled; with `--since` the ones from that time on before.
    func follow(_ services: ServerServices, _ show: (AuditEntry) -> Void) async throws {
        let query = try await filter.query(on: services)
        var places = query.since == nil ? try await services.audit.ends() : [:]
        while !Task.isCancelled {
            for entry in try await services.audit.next(query, after: &places) { show(entry) }
            try? await Task.sleep(for: Self.interval)
        }
    }
}

struct AuditShowCommand: AdministrationCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Print everything that one record has.")

    @Argument(help: ArgumentHelp("The record, as \"audit list\" names it: main/12.", valueName: "record"))
    var record: String

    @OptionGroup var options: ServerOptions

    func outcome(on services: ServerServices) async throws -> CommandReport.Outcome {
        guard let mark = record.lastIndex(of: "/"), let sequence = Int64(record[record.index(after: mark)...]) else {
            throw ValidationError("A record is named by its chain and its number: main/12.")
        }
        guard sequence > 0, let entry = try await services.audit.entry(sequence, of: String(record[..<mark])) else {
            throw CommandFailure.refused(
                "recordUnknown", "there is no such record, or it cannot be read (\"audit verify\" names these)")
        }
        let members: [TerminalText] = entry.event.members.map { "  \($0.name): \(Self.text($0.value))" }
        return CommandReport.Outcome(
            text: TerminalText([entry.line] + members), result: ["record": entry.json])
    }

    private static func text(_ value: JSONValue) -> String {
        if case .string(let text) = value { text } else { JSONWriter.text(value) }
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
