import ArgumentParser
import CommandSupport
import Octets
import ServerCore
import StrictJSON
import UAFService

struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Search, check, export and prune the record of what happened.",
        subcommands: [
            AuditListCommand.self, AuditFollowCommand.self, AuditShowCommand.self, AuditEventsCommand.self,
            AuditVerifyCommand.self, AuditExportCommand.self, AuditPruneCommand.self, AuditForgetCommand.self,
        ])
}

struct AuditVerifyCommand: AdministrationCommand {
    static let expectation = EmptyDatabase.Expectation.content
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check that the audit was not changed.",
        discussion: """
            Follows every chain of records from its beginning to its end, names each record that was changed, removed, put \
            in between or cannot be read, and then exits with 1. The key of the server proves each record; it also signs \
            the ends of all chains once a minute, so that a chain that is cut behind that is noticed. Nothing here shows that \
            an earlier copy of records and signed ends was put back together: compare with what "audit export" has \
            written elsewhere.
            """)

    @OptionGroup var options: ServerOptions

    /// Number of intact records in each chain; a chain that was changed is a failure.
    func outcome(on services: ServerServices) async throws -> CommandReport.Outcome {
        let report = try await services.audit.verify()
        if !report.isUnchanged {
            throw CommandFailure.refused("auditChanged", "the audit was changed: \(Self.words(report))")
        }
        let chains = report.intactRecords.sorted { $0.key < $1.key }
        let signedAt = report.signedAt?.iso8601
        let lines = chains.map { chain, count in
            let lost = report.lostThrough[chain].map { "; up to \($0) the key is lost, and later ones hold them" }
            return "\(ForeignText.name(chain)): \(count) records, unchanged\(lost ?? "")"
        }
        return CommandReport.Outcome(
            text: TerminalText(
                lines: lines + ["Proved by the key of this server; ends signed at \(signedAt ?? "-")."]),
            result: [
                "chains": .array(
                    chains.map { chain, count in
                        .object([
                            "chain": .string(chain), "records": .integer(count),
                            "lostThrough": report.lostThrough[chain].map { .integer($0) },
                        ])
                    }),
                "signedAt": signedAt.map { .string($0) },
            ])
    }
}

extension AuditVerifyCommand {
    /// Most faults that are named one by one.
    private static let limit = 20

    private static func words(_ report: AuditService.Report) -> String {
        let breaks = report.breaks
        let named = breaks.prefix(limit).map { ForeignText.name($0.chainID) + $0.text.dropFirst($0.chainID.count) }
        let more = breaks.count > limit ? ["and \(breaks.count - limit) more"] : []
        return ([report.headsFault].compactMap { $0 } + named + more).joined(separator: "; ")
    }
}

struct AuditExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write the audit to the standard output, one JSON object per line.",
        discussion: """
            A line has "chain", "sequence", "event", "previousHash" and "hash"; "opened" has what the event has sealed, or says \
            that the person was erased. Use --after and --chain to continue where the \
            last export ended. The lines are the same with every --format. With --heads one line has "heads", the signed ends \
            of all chains (JWS), and "keys", the public key that verifies them (JWK set): keep it where the server cannot \
            write.
            """)

    @Option(name: .long, help: ArgumentHelp("Only this chain (the instance name of a server).", valueName: "name"))
    var chain: String?

    @Option(name: .long, help: ArgumentHelp("Only records after this one; goes with --chain.", valueName: "sequence"))
    var after: Int64 = 0

    @Flag(name: .long, help: "The signed ends of the chains, instead of the records.")
    var heads = false

    @OptionGroup var options: ServerOptions

    func validate() throws {
        guard after == 0 || chain != nil else { throw ValidationError("--after goes with --chain.") }
    }

    func run() async throws {
        try await options.reportWriting { installation in try await write(from: installation.services) { print($0) } }
    }

    /// Passes every record to `line`, in the order of each chain.
    func write(from services: ServerServices, line: (String) -> Void) async throws {
        if heads {
            guard let signed = try await services.audit.signedHeads() else {
                throw CommandFailure.refused("auditUnsigned", "no ends of the audit are signed")
            }
            let keys = try JSONParser.parse(signed.keys)
            return line(JSONWriter.text(.object(["heads": .string(signed.statement), "keys": keys])))
        }
        let chains = try await services.audit.chains()
        if let chain, !chains.contains(chain) {
            throw CommandFailure.refused(
                "chainUnknown",
                "this chain does not exist; the chains are: \(chains.map(ForeignText.name).joined(separator: ", "))")
        }
        for chain in chains where self.chain == nil || self.chain == chain {
            try await services.audit.forEach(in: chain, after: after) { line($0.exportLine(opened: $1)) }
        }
    }
}

extension AuditService {
    /// Passes the records of a chain behind `position`, up to the one numbered `end`, to `body`, in their order, with what
    /// each has sealed.
    func forEach(
        in chain: String, after position: Int64 = 0, through end: Int64 = .max,
        _ body: (AuditRecord, JSONObject?) throws -> Void
    ) async throws {
        var position = position
        while position < end {
            let page = try await records(of: chain, after: position).filter { $0.sequence <= end }
            guard let last = page.last else { return }
            let opened = try await sealedMembers(of: page)
            for record in page { try body(record, opened[record.sequence]) }
            position = last.sequence
        }
    }
}

extension AuditRecord {
    /// The record as one line of JSON, with the members that its event has sealed beside the event, whose hash stays valid.
    ///
    /// An event that is no valid JSON any more was changed: "audit verify" reports it, and here it is a text.
    func exportLine(opened: JSONObject?) -> String {
        let event = (try? JSONParser.parse(self.event)) ?? .string(String(decoding: self.event, as: UTF8.self))
        return JSONWriter.text(
            .object([
                "chain": .string(chainID), "sequence": .integer(sequence), "event": event,
                "opened": opened.map { .object($0) },
                "damage": damage.map { .string($0.text) },
                "previousHash": .string(Base64URL.encode(previousHash.octets)),
                "hash": .string(Base64URL.encode(hash.octets)),
            ]))
    }
}
