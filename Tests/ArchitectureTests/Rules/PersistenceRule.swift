/// The storage keeps rows, compares and sets; rules decide, in ServerCore (docs/decisions/0018-rules-on-a-transaction.md).
///
/// A statement may have a condition, but it does not know why: no record of the audit, no state machine, no limit and no
/// time window, and no reason of a refusal in a target of the storage.
enum PersistenceRule {
    static func violations(in file: SourceFile) -> [Violation] {
        guard file.isSource, file.target.hasPrefix("ServerPersistence") else { return [] }
        return file.violations(of: "a record of the audit is made in the storage", where: /\bAuditEvent\s*\(/)
            + file.violations(of: "the storage says what a record is about", where: /\.kind\s*=(?!=)/)
            + file.violations(of: "a state machine in the storage", where: /\bCeremonyMachine\b|\.machine\s*\(/)
            + file.violations(of: "a limit or time window in the storage", where: limit)
            + file.violations(of: "the storage knows why something is refused", where: refusal)
    }

    private static var limit: Regex<Substring> {
        /\b(?:OperationLimits|PendingPlace|PushThrottle|QuietHours|limits|window|maximum[A-Z]\w*)\b/
    }

    private static var refusal: Regex<Substring> {
        /\b(?:CommitRefusal|RedeemRefusal|BeginResult|ApplyDeviceChange)\b/
    }
}
