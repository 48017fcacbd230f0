import ArgumentParser

/// `signet-server audit`.
struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Look after the audit.", subcommands: [AuditPruneCommand.self])
}
