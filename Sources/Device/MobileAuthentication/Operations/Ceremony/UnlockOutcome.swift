/// What came of an old secret.
package enum UnlockOutcome: Sendable {
    /// It was right.
    case opened(any OpenedSecret)
    /// It was wrong, and that was counted.
    case wrong(ProtectionReport)
    /// It was not looked at, because of a cool-down or because it can be no such secret at all.
    case ignored(ProtectionReport)
}
