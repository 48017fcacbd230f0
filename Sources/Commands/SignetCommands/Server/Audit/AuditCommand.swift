import ArgumentParser
import ServerCore
import StrictJSON

/// `signet-server audit`.
struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Check, export and prune the record of what happened.",
        subcommands: [AuditVerifyCommand.self, AuditExportCommand.self, AuditPruneCommand.self])
}

/// `signet-server audit verify`.
struct AuditVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check that nobody has changed the audit.",
        discussion: """
            Follows every chain of records from its beginning; exits with 1 when a record was changed, removed or put \
            in between. Records cut off at the end of a chain can only be found by comparison with an export.
            """)

    @OptionGroup var options: ServerOptions

    func run() async throws {
        try await options.reportOnServices { services in try await outcome(on: services) }
    }

    /// The intact records of each chain; a chain that was changed is a failure.
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
