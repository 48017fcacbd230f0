import ArgumentParser

/// `signet-server audit`.
struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Check, export and prune the record of what happened.",
        subcommands: [AuditVerifyCommand.self, AuditExportCommand.self, AuditPruneCommand.self])
}
