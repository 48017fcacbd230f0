import ArgumentParser
import CommandSupport
import Octets
import ServerCore
import StrictJSON
import UAFService

struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Check, export and prune the record of what happened.",
        subcommands: [
            AuditVerifyCommand.self, AuditExportCommand.self, AuditPruneCommand.self, AuditForgetCommand.self,
        ])
}

struct AuditVerifyCommand: AdministrationCommand {
    static let expectation = EmptyDatabase.Expectation.content
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check that the audit was not changed.",
        discussion: """
            Follows every chain of records from its beginning to its end, names each record that was changed, removed, put \
            in between or cannot be read, and then exits with 1. Records cut off at the end of a chain can only be found by comparison with an export.
            """)

    @OptionGroup var options: ServerOptions

    /// Number of intact records in each chain; a chain that was changed is a failure.
    func outcome(on services: ServerServices) async throws -> CommandReport.Outcome {
        let report = try await services.audit.verify()
        if !report.breaks.isEmpty {
            throw CommandFailure.refused("auditChanged", "the audit was changed: \(Self.words(report.breaks))")
        }
        let chains = report.intactRecords.sorted { $0.key < $1.key }
        return CommandReport.Outcome(
            text: chains.map { "\(ForeignText.name($0.key)): \($0.value) records, unchanged" }.joined(separator: "\n"),
            result: [
                "chains": .array(chains.map { .object(["chain": .string($0.key), "records": .integer($0.value)]) })
            ])
    }
}

extension AuditVerifyCommand {
    /// Most faults that are named one by one.
    private static let limit = 20

    private static func words(_ breaks: [AuditRecord.Break]) -> String {
        let named = breaks.prefix(limit).map { ForeignText.name($0.chainID) + $0.text.dropFirst($0.chainID.count) }
        let more = breaks.count > limit ? ["and \(breaks.count - limit) more"] : []
        return (named + more).joined(separator: "; ")
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
                "chainUnknown",
                "this chain does not exist; the chains are: \(chains.map(ForeignText.name).joined(separator: ", "))")
        }
        for chain in chains where self.chain == nil || self.chain == chain {
            try await services.audit.forEach(in: chain, after: after) { line($0.exportLine) }
        }
    }
}

extension AuditService {
    /// Passes the records of a chain behind `position`, up to the one numbered `end`, to `body`, in their order.
    func forEach(
        in chain: String, after position: Int64 = 0, through end: Int64 = .max, _ body: (AuditRecord) throws -> Void
    ) async throws {
        var position = position
        while position < end {
            let page = try await records(of: chain, after: position).filter { $0.sequence <= end }
            guard let last = page.last else { return }
            for record in page { try body(record) }
            position = last.sequence
        }
    }
}

extension AuditRecord {
    /// The record as one line of JSON.
    ///
    /// An event that is no valid JSON any more was changed: "audit verify" reports it, and here it is a text.
    var exportLine: String {
        let event = (try? JSONParser.parse(self.event)) ?? .string(String(decoding: self.event, as: UTF8.self))
        return JSONWriter.text(
            .object([
                "chain": .string(chainID), "sequence": .integer(sequence), "event": event,
                "damage": damage.map { .string($0.text) },
                "previousHash": .string(Base64URL.encode(previousHash.octets)),
                "hash": .string(Base64URL.encode(hash.octets)),
            ]))
    }
}
