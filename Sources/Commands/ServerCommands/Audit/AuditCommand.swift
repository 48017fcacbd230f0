import ArgumentParser
import CommandSupport
import Octets
import ServerCore
import StrictJSON
import UAFService

struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Check, export and prune the record of what happened.",
        subcommands: [AuditVerifyCommand.self, AuditExportCommand.self, AuditPruneCommand.self])
}

struct AuditVerifyCommand: AdministrationCommand {
    static let expectation = EmptyDatabase.Expectation.content
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check that the audit was not changed.",
        discussion: """
            Follows every chain of records from its beginning; exits with 1 when a record was changed, removed or put \
            in between. Records cut off at the end of a chain can only be found by comparison with an export.
            """)

    @OptionGroup var options: ServerOptions

    /// Number of intact records in each chain; a chain that was changed is a failure.
    func outcome(on services: ServerServices) async throws -> CommandReport.Outcome {
        let report = try await services.audit.verify()
        if !report.breaks.isEmpty {
            let places = report.breaks.map { "\($0.chainID) at record \($0.sequence)" }.joined(separator: ", ")
            throw CommandFailure.refused("auditChanged", "the audit was changed: \(places)")
        }
        let chains = report.intactRecords.sorted { $0.key < $1.key }
        return CommandReport.Outcome(
            text: chains.map { "\(ForeignText.name($0.key)): \($0.value) records, unchanged" }.joined(separator: "\n"),
            result: [
                "chains": .array(chains.map { .object(["chain": .string($0.key), "records": .integer($0.value)]) })
            ])
    }
}

struct AuditExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write the audit to the standard output, one JSON object per line.",
        discussion: """
            A line has "chain", "sequence", "event", "previousHash" and "hash". Use --after and --chain to continue where the \
            last export ended. The lines are the same with every --format.
            """)

    @Option(name: .long, help: ArgumentHelp("Only this chain (the instance name of a server).", valueName: "name"))
    var chain: String?

    @Option(name: .long, help: ArgumentHelp("Only records after this one; goes with --chain.", valueName: "sequence"))
    var after: Int64 = 0

    @OptionGroup var options: ServerOptions

    func validate() throws {
        guard after == 0 || chain != nil else { throw ValidationError("--after goes with --chain.") }
    }

    func run() async throws {
        try await options.reportWriting { installation in try await write(from: installation.services) { print($0) } }
    }

    /// Passes every record to `line`, in the order of each chain.
    func write(from services: ServerServices, line: (String) -> Void) async throws {
        let chains = try await services.audit.chains()
        if let chain, !chains.contains(chain) {
            throw CommandFailure.refused(
                "chainUnknown", "this chain does not exist; the chains are: \(chains.joined(separator: ", "))")
        }
        for chain in chains where self.chain == nil || self.chain == chain {
            var last = after
            while true {
                let records = try await services.audit.records(of: chain, after: last)
                for record in records { line(Self.line(record)) }
                guard let end = records.last else { break }
                last = end.sequence
            }
        }
    }

    private static func line(_ record: AuditRecord) -> String {
        // An event that is no longer valid JSON was changed: "audit verify" reports it, and the export contains it
        // unchanged.
        let event = (try? JSONParser.parse(record.event)) ?? .string(String(decoding: record.event, as: UTF8.self))
        return JSONWriter.text(
            .object([
                "chain": .string(record.chainID), "sequence": .integer(record.sequence), "event": event,
                "previousHash": .string(Base64URL.encode(record.previousHash.octets)),
                "hash": .string(Base64URL.encode(record.hash.octets)),
            ]))
    }
}
