import ArgumentParser
import CommandSupport
import ServerAdministration
import ServerCore
import StrictJSON

struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Search, check, export and prune the record of what happened.",
        subcommands: [
            OperationCommand<ListAudit>.self, AuditFollowCommand.self, OperationCommand<ShowAuditRecord>.self,
            AuditEventsCommand.self, AuditVerifyCommand.self, AuditExportCommand.self, AuditPruneCommand.self,
            OperationCommand<ForgetSubscriber>.self,
        ])
}

struct AuditVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check that the audit was not changed.",
        discussion: """
            Follows every chain of records from its beginning to its end, names each record that was changed, removed, put \
            in between or cannot be read, and then exits with 1. The key of the server proves each record; it also signs \
            the ends of all chains once a minute, so that a chain that is cut behind that is noticed. Nothing here shows that \
            an earlier copy of records and signed ends was put back together: compare with what "audit export" has \
            written elsewhere. With files of "audit export --day" it checks these, without server and database.
            """)

    @Argument(
        help: ArgumentHelp("Files with the records of days, as \"audit export --day\" wrote them.", valueName: "file"))
    var files: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "File of the public keys that were kept elsewhere, instead of keys.json beside the records.",
            valueName: "file"))
    var keys: String?

    @OptionGroup var place: AdministrationPlace
    @OptionGroup var options: ServerOptions

    func validate() throws {
        guard keys == nil || !files.isEmpty else { throw ValidationError("--keys goes with files of days.") }
    }

    func run() async throws {
        try await options.commandReport.run {
            guard files.isEmpty else { return try outcomeOfFiles() }
            return try await place.ask(options) { try await outcome(on: $0) }
        }
    }

    private func outcomeOfFiles() throws -> CommandReport.Outcome {
        let days = try files.map { (file: $0, found: try AuditDayFiles(records: $0, keys: keys).verified()) }
        return CommandReport.Outcome(
            text: TerminalText(
                lines: days.map { day in
                    "\(day.file): \(day.found.count) records, unchanged; ends signed at \(day.found.signedAt.iso8601)."
                }),
            result: [
                "days": .array(
                    days.map { day in
                        .object([
                            "file": .string(day.file), "records": .integer(day.found.count),
                            "signedAt": .string(day.found.signedAt.iso8601),
                        ])
                    })
            ])
    }

    /// Number of intact records in each chain; a chain that was changed is a failure.
    func outcome(on server: some AdministrationConnection) async throws -> CommandReport.Outcome {
        let reply = try await server.answer(to: .init(.verifyAudit))
        let members = try reply.values.first?.asObject() ?? [:]
        guard members["unchanged"] == .bool(true) else {
            var faults: [String] = []
            if case .array(let values)? = members["faults"] {
                faults = values.compactMap { if case .string(let text) = $0 { ForeignText.name(text) } else { nil } }
            }
            let words = Self.listed(faults, of: members.number("faultCount") ?? faults.count)
            throw CommandFailure.refused("auditChanged", "the audit was changed: \(words)")
        }
        let lines = reply.objects("chains").map { chain in
            let lost = chain.number("lostThrough").map { "; up to \($0) the key is lost, and later ones hold them" }
            return "\(ForeignText.name(chain.text("chain") ?? "-")): \(chain.number("records") ?? 0) records, unchanged"
                + (lost ?? "")
        }
        return CommandReport.Outcome(
            text: TerminalText(
                lines: lines + ["Proved by the key of this server; ends signed at \(reply.member("signedAt"))."]),
            result: JSONObject(distinct: members.members.filter { ["chains", "signedAt"].contains($0.name) }))
    }
}

extension AuditVerifyCommand {
    /// Most faults that are named one by one.
    private static let limit = 20

    static func named(_ fault: AuditRecord.Break) -> String {
        ForeignText.name(fault.chainID) + fault.text.dropFirst(fault.chainID.count)
    }

    static func listed(_ faults: [String], of count: Int) -> String {
        let shown = faults.prefix(limit)
        return (shown + (count > shown.count ? ["and \(count - shown.count) more"] : [])).joined(separator: "; ")
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
            write. With --day and --out three files are written: the records of a day that has ended (UTC), the signed ends \
            before and behind them, and the public keys; "audit verify" checks them anywhere.
            """)

    @Option(name: .long, help: ArgumentHelp("Only this chain (the instance name of a server).", valueName: "name"))
    var chain: String?

    @Option(name: .long, help: ArgumentHelp("Only records after this one; goes with --chain.", valueName: "sequence"))
    var after: Int64 = 0

    @Flag(name: .long, help: "The signed ends of the chains, instead of the records.")
    var heads = false

    @Option(name: .long, help: ArgumentHelp("The records of this day, as files in --out.", valueName: "yyyy-mm-dd"))
    var day: String?

    @Option(
        name: .long, help: ArgumentHelp("Folder for the files of --day, made if it is missing.", valueName: "folder"))
    var out: String?

    @OptionGroup var place: AdministrationPlace
    @OptionGroup var options: ServerOptions

    func validate() throws {
        guard after == 0 || chain != nil else { throw ValidationError("--after goes with --chain.") }
        guard (day == nil) == (out == nil) else { throw ValidationError("--day and --out go together.") }
        guard day == nil || chain == nil && !heads else {
            throw ValidationError("--day writes all chains; leave --chain and --heads out.")
        }
        guard day == nil || AuditDay(day ?? "") != nil else { throw ValidationError("The day is given as 2026-01-31.") }
    }

    func run() async throws {
        if let day = day.flatMap({ AuditDay($0) }), let out {
            return try await options.commandReport.run {
                try await place.ask(options) { try await write(day, of: $0, to: out) }
            }
        }
        try await options.commandReport.runSilently {
            try await place.ask(options) { server in try await write(from: server) { print($0) } }
        }
    }

    private func write(
        _ day: AuditDay, of server: some AdministrationConnection, to folder: String
    ) async throws -> CommandReport.Outcome {
        try PosixFiles().makePrivateFolder(folder)
        let count = try await AuditDayFiles(of: day, in: folder).write(day, of: server)
        return CommandReport.Outcome(
            text: "\(count) records of \(day) were written to \(folder), with their signed ends and keys.",
            result: ["day": .string(day.text), "records": .integer(count)])
    }

    /// Passes every record to `line`, in the order of each chain.
    func write(from server: some AdministrationConnection, line: (String) -> Void) async throws {
        if heads {
            let reply = try await server.answer(to: .init(.auditHeads))
            return line(JSONWriter.text(reply.values.first ?? .null))
        }
        let chains = try await server.answer(to: .init(.auditChains)).objects("chains").compactMap { $0.text("chain") }
        if let chain, !chains.contains(chain) {
            throw CommandFailure.refused(
                "chainUnknown",
                "this chain does not exist; the chains are: \(chains.map { ForeignText.name($0) }.joined(separator: ", "))"
            )
        }
        for chain in chains where self.chain == nil || self.chain == chain {
            try await server.records(of: chain, after: after) { line(JSONWriter.text(.object($0))) }
        }
    }
}
