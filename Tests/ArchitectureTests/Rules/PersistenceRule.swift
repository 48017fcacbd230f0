/// The storage keeps rows, compares and sets; rules decide, in ServerCore (docs/decisions/0018-rules-on-a-transaction.md).
///
/// A statement may have a condition, but it does not know why: no record of the audit, no state machine, no limit and no
/// time window, and no reason of a refusal in a target of the storage.
enum PersistenceRule {
    static func violations(in file: SourceFile) -> [Violation] {
        guard file.isSource, file.target.hasPrefix("ServerPersistence") else { return [] }
        return file.violations(
            of: "a record of the audit is made in the storage", naming: "AuditEvent", where: /\bAuditEvent\s*\(/)
            + file.violations(
                of: "the storage says what a record is about", naming: ".kind", where: /\.kind\s*=(?!=)/)
            + file.violations(
                of: "a state machine in the storage", naming: "CeremonyMachine", ".machine",
                where: /\bCeremonyMachine\b|\.machine\s*\(/)
            + file.violations(
                of: "a limit or time window in the storage", naming: "OperationLimits", "PendingSlot", "PushThrottle",
                "QuietHours", "limits", "window", "maximum", where: limit)
            + file.violations(
                of: "the storage knows why something is refused", naming: "CommitRefusal", "RedeemRefusal",
                "BeginResult", "ApplyDeviceChange", where: refusal)
            + wholeTables(in: file)
    }

    // MARK: - Bounded queries

    /// Tables that never have more than some dozen rows, whatever the number of users.
    ///
    /// Clients are added by an operator, one command for each; a key for receipts comes once a year.
    private static let smallTables: Set<Substring> = [
        "server_keys", "decoy_profiles", "schema_migrations", "pragma_table_info", "clients", "receipt_keys",
    ]

    /// Queries that read a table whole: with neither a condition nor a limit.
    ///
    /// Migrations and copies work on tables, and the copy of a table goes by batches of its own.
    private static func wholeTables(in file: SourceFile) -> [Violation] {
        guard Set(file.components).isDisjoint(with: ["Migrations", "Copy"]) else { return [] }
        var line = 1
        var found: [Violation] = []
        for literal in file.text.split(separator: "\"", omittingEmptySubsequences: false) {
            if readsTableWhole(literal) {
                found.append(Violation(file.path, line, "a query has neither a condition nor a limit"))
            }
            line += literal.count { $0.isNewline }
        }
        return found
    }

    private static func readsTableWhole(_ literal: Substring) -> Bool {
        guard let table = literal.firstMatch(of: /SELECT\s[^;]*?\sFROM\s+(\w+)/)?.1 else { return false }
        return !literal.contains(/\s(?:WHERE|LIMIT)\s/) && !smallTables.contains(table)
    }

    private static var limit: Regex<Substring> {
        /\b(?:OperationLimits|PendingSlot|PushThrottle|QuietHours|limits|window|maximum[A-Z]\w*)\b/
    }

    private static var refusal: Regex<Substring> {
        /\b(?:CommitRefusal|RedeemRefusal|BeginResult|ApplyDeviceChange)\b/
    }
}
